"""What archivists do with ArchivesSnake, done with the Carrel at CARREL_URL. The first argument names the conversation.

Users: admin, who administers the archives, and reader, who may do nothing; both have the password CARREL_PASSWORD.
"""

import json
import os
import sys
import xml.etree.ElementTree

import asnake.utils
from asnake.aspace import ASpace
from asnake.client import ASnakeClient
from asnake.client.web_client import ASnakeAuthError, ASnakeWeirdReturnError
from asnake.jsonmodel import JM, ComponentObject, JSONModelObject, TreeNode, TreeNodeData

URL = os.environ["CARREL_URL"]
PASSWORD = os.environ["CARREL_PASSWORD"]
EAD = "{urn:isbn:1-931666-22-9}"
EAD3 = "{http://ead3.archivists.org/schema/}"


def settings(**others):
    return {"baseurl": URL, "username": "admin", "password": PASSWORD, **others}


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r}\nis not\n{expected!r}")


def raises(error, work):
    try:
        outcome = work()
    except error as raised:
        return raised
    raise AssertionError(f"{outcome!r} instead of {error.__name__}")


class Archives:
    """A repository and the means to fill it."""

    def __init__(self, code="MSS"):
        self.aspace = ASpace(**settings())
        self.client = self.aspace.client
        self.uri = self.add("/repositories", JM.repository(repo_code=code, name=f"Library {code}"))
        self.repository = self.aspace.repositories(int(self.uri.split("/")[-1]))

    def send(self, path, record):
        answer = self.client.post(path, json=record)
        equal((answer.status_code, answer.text[:300] if answer.status_code != 200 else ""), (200, ""))
        return answer.json()

    def add(self, path, record):
        return self.send(path, record)["uri"]

    def resource(self, number, **more):
        record = JM.resource(
            title=f"Papers {number}", id_0="MS", id_1=str(number), level="collection", publish=True,
            finding_aid_language="eng", finding_aid_script="Latn", finding_aid_status="completed",
            extents=[JM.extent(portion="whole", number="3", extent_type="linear_feet")],
            dates=[JM.date(date_type="inclusive", label="creation", begin="1900", end="1950")],
            lang_materials=[JM.lang_material(language_and_script=JM.language_and_script(language="eng", script="Latn"))],
            **more)
        return self.add(f"{self.uri}/resources", record)

    def component(self, title, resource, parent=None, **more):
        record = JM.archival_object(title=title, level="file", resource={"ref": resource}, publish=True, **more)
        if parent:
            record["parent"] = {"ref": parent}
        return self.add(f"{self.uri}/archival_objects", record)


def log_in():
    error = raises(ASnakeAuthError, lambda: ASnakeClient(**settings(password="wrong")).authorize())
    equal(str(error), "Failed to authorize ASnake with status: 403")
    client = ASnakeClient(**settings())
    token = client.authorize()
    equal(len(token), 64)
    equal(client.get("/users/current-user").json()["username"], "admin")
    # Another process goes on with the session.
    other = ASnakeClient(baseurl=URL, username=None, password=None, session_token=token)
    equal(other.authorize(), token)
    equal(other.get("users/current-user").json()["username"], "admin")
    # A client that has not signed in is refused, and signs in by itself.
    late = ASnakeClient(**settings())
    equal(late.get("/users", params={"all_ids": True}).status_code, 200)
    # One whose session is over signs in again with the old header set.
    equal(client.post("/logout").json(), {"status": "session_logged_out"})
    equal(client.get("/users/current-user").status_code, 412)
    client.authorize()
    equal(client.get("/users/current-user").status_code, 200)
    # Who may not do it is refused twice.
    reader = ASnakeClient(**settings(username="reader"))
    refused = reader.post("/repositories", json=JM.repository(repo_code="X", name="X"))
    equal((refused.status_code, refused.json()), (403, {"error": "Access denied"}))
    equal(reader.get("/version").text.startswith("ArchivesSpace (v"), True)


def walk_repositories():
    archives = Archives()
    second = Archives("UA")
    papers = [archives.resource(number) for number in range(1, 4)]
    other = second.resource(1)
    aspace = archives.aspace
    equal([repository.repo_code for repository in aspace.repositories], ["MSS", "UA"])
    equal([resource.uri for resource in archives.repository.resources], papers)
    equal([resource.uri for resource in aspace.resources], papers + [other])
    equal(aspace.resources(int(other.split("/")[-1])).repository.name, "Library UA")
    equal(aspace.resources(4711), {"error": "Resource not found"})
    resource = aspace.from_uri(papers[0])
    equal((type(resource), resource.id_1, resource.id), (JSONModelObject, "1", int(papers[0].split("/")[-1])))
    equal([(extent.number, extent.extent_type) for extent in resource.extents], [("3", "linear_feet")])
    equal("lang_materials" in dir(resource), True)
    raises(AttributeError, lambda: resource.no_such_thing)
    equal(archives.repository.resources(4711), {"error": "Resource not found"})
    equal([list(archives.repository.accessions), list(aspace.locations), list(aspace.container_profiles)], [[], [], []])


def walk_trees():
    archives = Archives()
    papers = archives.resource(1)
    series = [archives.component(title, papers) for title in ("Letters", "Diaries")]
    # More siblings than one waypoint has.
    files = JM.archival_record_children(children=[
        JM.archival_object(title=f"File {number}", level="file") for number in range(205)])
    archives.send(f"{series[0]}/children", files)
    letters = [child["uri"] for child in archives.client.get(f"{series[0]}/children").json()]
    leaf = archives.component("Leaf", papers, letters[0])
    expected = [papers, series[0], letters[0], leaf, *letters[1:], series[1]]

    resource = archives.aspace.from_uri(papers)
    equal(type(resource.tree), TreeNode)
    equal([record.uri for record in resource.tree.walk], expected)
    equal([record["uri"] for record in asnake.utils.walk_tree(papers, archives.client)], expected)
    below = asnake.utils.walk_tree(archives.client.get(letters[0]).json(), archives.client)
    equal([record["uri"] for record in below], [letters[0], leaf])
    # The files are not published.
    equal([ref["ref"] for ref in archives.client.get(f"{papers}/ordered_records").json()["uris"]], [papers, *series])

    node = resource.tree.node(series[0])
    equal((type(node), node.child_count, node.waypoints, node.waypoint_size), (TreeNodeData, 205, 2, 200))
    equal(node.record.title, "Letters")
    component = archives.aspace.from_uri(letters[0])
    equal((type(component), [child.title for child in component.tree.children]), (ComponentObject, ["Leaf"]))
    equal([ancestor.title for ancestor in archives.aspace.from_uri(leaf).ancestors], ["File 0", "Letters", "Papers 1"])

    answer = archives.client.post(f"{series[1]}/accept_children", params={"children": [leaf], "position": 0})
    equal(answer.json()["status"], "Updated")
    equal([record.uri for record in archives.aspace.from_uri(series[1]).tree.walk], [series[1], leaf])
    equal(archives.client.post(f"{series[1]}/accept_children", params={"children": [papers], "position": 0}).status_code,
          400)


def look_up():
    archives = Archives()
    where = archives.add("/locations", JM.location(building="Annex", barcode="L1"))
    box = archives.add(f"{archives.uri}/top_containers", JM.top_container(
        indicator="1", type="box", barcode="B1",
        container_locations=[JM.container_location(ref=where, status="current", start_date="2020-01-01")]))
    papers = archives.resource(1, external_ids=[{"external_id": "old-1", "source": "migration"}])
    archives.resource(2, external_ids=[{"external_id": "old-2", "source": "migration"}])
    restricted = JM.note_multipart(type="accessrestrict", subnotes=[JM.note_text(content="Closed until 2050.")])
    # The last component has no dates of its own.
    letters = archives.component(
        "Letters", papers, dates=[JM.date(date_type="single", label="creation", expression="May 1912")])
    file = archives.component("File", papers, letters, ref_id="file-1", component_id="c1", notes=[restricted], instances=[
        JM.instance(instance_type="text", sub_container=JM.sub_container(top_container={"ref": box}))],
        external_ids=[{"external_id": "old-2", "source": "migration"}])
    client = archives.client

    equal([found.uri for found in archives.aspace.by_external_id("old-1")], [papers])
    equal([found.title for found in archives.aspace.by_external_id("old-2", ["archival_object"])], ["File"])
    equal(len(list(archives.aspace.by_external_id("old-2"))), 2)
    equal(list(archives.aspace.by_external_id("nothing")), [])
    found = client.get(f"{archives.uri}/find_by_id/archival_objects", params={"ref_id": ["file-1"]}).json()
    equal(found, {"archival_objects": [{"ref": file}]})
    found = client.get(f"{archives.uri}/find_by_id/archival_objects",
                       params={"component_id[]": "c1", "resolve[]": "archival_objects"}).json()
    equal(found["archival_objects"][0]["_resolved"]["title"], "File")
    found = client.get(f"{archives.uri}/find_by_id/resources", params={"identifier[]": '["MS","1"]'}).json()
    equal(found, {"resources": [{"ref": papers}]})
    found = client.get(f"{archives.uri}/find_by_id/top_containers", params={"barcode[]": "B1"}).json()
    equal(found, {"top_containers": [{"ref": box}]})

    equal([place["title"] for place in asnake.utils.get_object_locations(file, client)], ["Annex [L1]"])
    equal(asnake.utils.find_closest_value(file, "dates", client)[0]["expression"], "May 1912")
    record = client.get(file).json()
    equal(asnake.utils.get_note_text(record["notes"][0], client), ["Closed until 2050."])
    equal(asnake.utils.text_in_note(record["notes"][0], "closed until", client), True)
    equal(asnake.utils.is_restricted(record, "closed until", ["disallow"], client), True)
    equal(asnake.utils.format_resource_id(client.get(papers).json(), client), "MS:1")
    equal([container.uri for container in archives.aspace.from_uri(papers).top_containers], [box])
    resolved = archives.repository.archival_objects(int(file.split("/")[-1]), resolve=["resource", "top_container"])
    equal(resolved.json()["resource"]["_resolved"]["title"], "Papers 1")
    equal(resolved.json()["instances"][0]["sub_container"]["top_container"]["_resolved"]["barcode"], "B1")


def page():
    archives = Archives()
    papers = archives.resource(1)
    files = [archives.component(f"File {number}", papers) for number in range(7)]
    client, path = archives.client, f"{archives.uri}/archival_objects"
    numbers = [int(uri.split("/")[-1]) for uri in files]
    equal([record["uri"] for record in client.get_paged(path, page_size=3)], files)
    equal([record["uri"] for record in client.get_paged(path, page_size=3, params={"sort_direction": "desc"})],
          files[::-1])
    equal(client.get(path, params={"all_ids": True}).json(), numbers)
    equal([record["uri"] for record in client.get_paged(path, params={"all_ids": True})], files)
    equal([record["uri"] for record in client.get(path, params={"id_set": f"{numbers[2]},{numbers[4]}"}).json()],
          [files[2], files[4]])
    equal([record["uri"] for record in client.get(path, params={"id_set": numbers[:2]}).json()], files[:2])
    page = client.get(path, params={"page": 2, "page_size": 3}).json()
    equal({name: page[name] for name in ("first_page", "last_page", "this_page", "total")},
          {"first_page": 1, "last_page": 3, "this_page": 2, "total": 7})
    equal(client.get(path, params={"page": 9}).json()["results"], [])
    equal(client.get(path, params={"page": 1, "modified_since": 4_000_000_000}).json()["total"], 0)
    equal([record["repo_code"] for record in client.get_paged("/repositories")], ["MSS"])
    equal([record["repo_code"] for record in client.get_paged("repositories", params={"all_ids": True})], ["MSS"])
    missing = client.get(path)
    equal((missing.status_code, sorted(missing.json()["error"])), (400, ["all_ids", "id_set", "page"]))
    raises(ASnakeWeirdReturnError, lambda: list(client.get_paged(f"{archives.uri}/no_such_records")))
    titles = [record["resource"]["_resolved"]["title"]
              for record in client.get_paged(path, params={"resolve": ["resource"]})]
    equal(titles, ["Papers 1"] * 7)


def change():
    archives = Archives()
    client = archives.client
    papers = archives.resource(1)
    file = archives.component("File", papers, dates=[
        JM.date(date_type="single", label="creation", begin="1912", expression="ca. 1912")])
    # What was read is changed and sent back, with all that was resolved.
    record = client.get(file, params={"resolve[]": ["resource", "repository"]}).json()
    record["dates"][0]["expression"] = "circa 1912"
    saved = archives.send(file, record)
    equal((list(saved), saved["status"], saved["lock_version"], saved["stale"]),
          (["status", "id", "lock_version", "stale", "uri", "warnings"], "Updated", 1, True))
    equal(client.get(file).json()["display_string"], "File, circa 1912")
    stale = client.post(file, json=record)
    equal((stale.status_code, stale.json()),
          (409, {"error": "The record you tried to update has been modified since you fetched it."}))
    # A copy of an object of the client itself.
    edited = archives.aspace.from_uri(file).json()
    edited["title"] = "Folder"
    edited["instances"] = [JM.instance(instance_type="digital_object", digital_object={"ref": archives.add(
        f"{archives.uri}/digital_objects", JM.digital_object(title="Scan", digital_object_id="d1", file_versions=[
            JM.file_version(file_uri="https://example.org/1.jpg", publish=True)]))})]
    equal(archives.send(file, edited)["lock_version"], 2)
    equal([instance.digital_object.title for instance in archives.aspace.from_uri(file).instances], ["Scan"])

    equal(client.get(papers).json()["publish"], True)
    equal(client.post(f"{papers}/unpublish").json()["status"], "Updated")
    equal(client.get(file).json()["publish"], False)
    equal(client.post(f"{papers}/publish").json()["status"], "Updated")
    equal(client.get(file).json()["has_unpublished_ancestor"], False)

    values = client.get("/config/enumerations/names/extent_extent_type").json()
    values["values"].append("shoe boxes")
    archives.send(values["uri"], values)
    record = client.get(papers).json()
    record["extents"][0]["extent_type"] = "shoe boxes"
    archives.send(papers, record)
    equal(client.post(values["uri"], json={**client.get(values["uri"]).json(), "values": ["reels"]}).status_code, 409)

    equal(client.delete(file).json()["status"], "Deleted")
    equal(client.get(file).status_code, 404)
    equal(client.delete(papers).json()["status"], "Deleted")
    equal(archives.aspace.from_uri(papers), {"error": "Resource not found"})


def be_refused():
    archives = Archives()
    client, path = archives.client, f"{archives.uri}/resources"
    empty = client.post(path, json=JM.resource(title="Papers"))
    missing = "Property is required but was missing"
    equal((empty.status_code, empty.json()["error"]["id_0"], empty.json()["error"]["level"]),
          (400, [missing], [missing]))
    papers = archives.resource(1)
    record = client.get(papers).json()
    del record["uri"]
    taken = client.post(path, json=record)
    equal((taken.status_code, taken.json()["error"]), (400, {"id_0": ["That ID is already in use"]}))
    record["extents"][0]["extent_type"] = "armfuls"
    wrong = client.post(path, json=record).json()["error"]["extents/0/extent_type"][0]
    equal(wrong.startswith("Invalid value 'armfuls'.  Must be one of: cassettes, "), True)
    dangling = client.post(f"{archives.uri}/archival_objects",
                           json=JM.archival_object(title="File", level="file", resource={"ref": f"{path}/4711"}))
    equal((dangling.status_code, dangling.json()),
          (400, {"error": f"Reference does not exist! (Reference: '{path}/4711')"}))
    equal(client.get("/repositories/4711/resources", params={"all_ids": True}).json(),
          {"error": {"repo_id": ["Failed validation -- The Repository must exist"]}})
    equal(client.post(path, data="{nonsense").json()["error"].startswith("Had some trouble parsing your request: "), True)
    equal((client.get("/no/such/route").status_code, client.put(papers, json={}).status_code), (404, 404))


def search():
    archives = Archives()
    client = archives.client
    box = archives.add(f"{archives.uri}/top_containers", JM.top_container(indicator="7", type="box", barcode="B7"))
    subject = archives.add("/subjects", JM.subject(
        source="local", vocabulary="/vocabularies/1",
        terms=[JM.term(term="Whaling", term_type="topical", vocabulary="/vocabularies/1")]))
    papers = archives.resource(1, ead_id="papers-1", subjects=[{"ref": subject}])
    files = [archives.component(f"Logbook {number}", papers, instances=[
        JM.instance(instance_type="text", sub_container=JM.sub_container(top_container={"ref": box}))])
        for number in range(12)]
    search = archives.repository.search
    found = search.with_params(q="primary_type:archival_object AND title:logbook")
    equal(sorted(record.uri for record in found), sorted(files))
    equal([record.ead_id for record in search.with_params(q='ead_id:"papers-1"')], ["papers-1"])
    equal([record.title for record in search.with_params(q="whaling", type=["resource"])], ["Papers 1"])
    page = client.get(f"{archives.uri}/search", params={
        "q": "logbook", "page": 2, "page_size": 5, "sort": "title_sort asc", "facet": ["primary_type"]}).json()
    equal((page["total_hits"], page["this_page"], page["last_page"], page["offset_first"], page["offset_last"]),
          (12, 2, 3, 6, 10))
    equal([record["title"] for record in page["results"]], [f"Logbook {number}" for number in range(5, 10)])
    equal(page["facets"]["facet_fields"]["primary_type"], ["archival_object", 12])
    query = {"jsonmodel_type": "advanced_query", "query": {
        "jsonmodel_type": "field_query", "field": "title", "value": "logbook 11", "negated": False, "literal": False}}
    page = client.post(f"{archives.uri}/search", params={"page": 1, "aq": json.dumps(query)}).json()
    equal([record["id"] for record in page["results"]], [files[11]])
    containers = archives.repository.top_containers.search.with_params(q="barcode_u_sstr:B7")
    equal([(container.uri, container.barcode) for container in containers], [(box, "B7")])
    query = f'collection_uri_u_sstr:"{papers}"'
    equal([found.display_string for found in archives.repository.top_containers.search.with_params(q=query)],
          ["Box 7: [Barcode: B7]"])
    equal([record.title for record in archives.aspace.search.with_params(q="primary_type:subject")], ["Whaling"])
    equal(list(search.with_params(q="nothing-like-it")), [])
    client.delete(files[0])
    equal(client.get(f"{archives.uri}/search", params={"q": "logbook", "page": 1}).json()["total_hits"], 11)


def authorities():
    archives = Archives()
    aspace, client = archives.aspace, archives.client
    person = archives.add("/agents/people", JM.agent_person(names=[JM.name_person(
        primary_name="Noether", rest_of_name="Emmy", name_order="inverted", sort_name_auto_generate=True,
        source="local")]))
    family = archives.add("/agents/families", JM.agent_family(names=[JM.name_family(
        family_name="Noether", sort_name_auto_generate=True, source="local")]))
    subjects = [archives.add("/subjects", JM.subject(
        source="local", vocabulary="/vocabularies/1",
        terms=[JM.term(term=term, term_type="topical", vocabulary="/vocabularies/1")])) for term in ("Rings", "Groups")]
    unused = subjects.pop()
    papers = archives.resource(1, subjects=[{"ref": subjects[0]}], linked_agents=[
        {"ref": person, "role": "creator", "relator": "aut"}])
    equal(aspace.agents.people(int(person.split("/")[-1])).title, "Noether, Emmy")
    equal(person in [agent.uri for agent in aspace.agents["people"]], True)
    equal({person, family} <= {agent.uri for agent in aspace.agents["people", "families"]}, True)
    equal({person, family} <= {agent.uri for agent in aspace.agents}, True)
    equal([subject.title for subject in aspace.subjects], ["Rings", "Groups"])
    # Which subjects are used nowhere, and where the others are used: how archivists find orphans.
    equal([subject.uri for subject in aspace.subjects if subject.used_within_repositories == []], [unused])
    equal([subject.uri for subject in aspace.subjects if subject.used_within_repositories == [archives.uri]], subjects)
    equal(aspace.agents.people(int(person.split("/")[-1])).used_within_repositories, [archives.uri])
    equal([(agent.ref, agent.role) for agent in aspace.from_uri(papers).linked_agents], [(person, "creator")])

    equal(aspace.users.current_user.username, "admin")
    equal(sorted(user.username for user in aspace.users), ["admin"])
    made = client.post("/users", params={"password": PASSWORD}, json=JM.user(username="assistant", name="Assistant"))
    equal(made.status_code, 200)
    equal(ASnakeClient(**settings(username="assistant")).authorize() != "", True)
    equal(sorted(user.username for user in aspace.users), ["admin", "assistant"])
    lists = {listed.name: listed for listed in aspace.config.enumerations}
    equal("box" in [value.value for value in lists["container_type"].enumeration_values], True)
    terms = client.get("/terms", params={"q": "Ri"}).json()
    equal([term["term"] for term in (terms["results"] if isinstance(terms, dict) else terms)], ["Rings"])


def export():
    archives = Archives()
    client = archives.client
    papers = [archives.resource(number) for number in (1, 2)]
    # Large enough to be sent in parts, which the client takes compressed.
    long = JM.note_multipart(type="scopecontent", publish=True, subnotes=[
        JM.note_text(content="A long story. " * 4_000, publish=True)] * 4)
    archives.component("Letters", papers[0], notes=[long])
    titles = []
    for resource in archives.repository.resources:
        if resource.finding_aid_status != "completed":
            continue
        path = f"{archives.uri}/resource_descriptions/{resource.id}.xml"
        answer = client.get(path, params={"include_unpublished": False, "include_daos": True, "numbered_cs": True})
        equal(answer.headers["content-type"].split(";")[0], "application/xml")
        ead = xml.etree.ElementTree.fromstring(answer.content)
        titles += [title.text for title in ead.iter(f"{EAD}unittitle")]
        equal(ead.find(f"{EAD}archdesc/{EAD}did/{EAD}unitid").text, f"MS.{resource.id_1}")
        ead3 = xml.etree.ElementTree.fromstring(client.get(path, params={"ead3": True}).content)
        equal(ead3.tag, f"{EAD3}ead")
        name = client.get(f"{path}/metadata").json()
        equal((name["mimetype"], name["filename"].endswith("__ead.xml")), ("application/xml", True))
    equal(titles, ["Papers 1", "Letters", "Papers 2"])
    equal(client.get(f"{archives.uri}/resource_descriptions/4711.xml").status_code, 404)


CONVERSATIONS = [log_in, walk_repositories, walk_trees, look_up, page, change, be_refused, search, authorities, export]

if __name__ == "__main__":
    {conversation.__name__: conversation for conversation in CONVERSATIONS}[sys.argv[1]]()
