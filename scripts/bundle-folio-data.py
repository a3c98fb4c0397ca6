#!/usr/bin/env python3
"""Bundles FOLIO's reference and sample records into crates/store/data.

usage: scripts/bundle-folio-data.py FOLIO_SAMPLE_FOLDER

The folder holds one JSON record per file, as FOLIO's repositories do. The bundle holds one
newline-delimited file per collection and `load-order.tsv`, which names every file once, in the order
that satisfies the references between records.
"""

import json
import shutil
import sys
from pathlib import Path

INVENTORY = "mod-inventory-storage"
USERS = "mod-users"
CIRCULATION = "mod-circulation-storage"
FEES = "mod-feesfines"
LINKS = "mod-entities-links"
COURSES = "mod-courses"

# Rows that every tenant has, whatever the installer asks for.
SEED = [
    (INVENTORY, "instance-date-types", ["reference-data/instance-date-types"]),
    (INVENTORY, "subject-types", ["reference-data/subject-types"]),
    (INVENTORY, "subject-sources", ["reference-data/subject-sources"]),
    (INVENTORY, "hrid-settings-storage/hrid-settings", ["seed"]),
    (CIRCULATION, "staff-slips-storage/staff-slips", ["seed/staff-slips"]),
    (FEES, "feefines", ["seed/feefines"]),
    ("mod-patron-blocks", "patron-block-conditions", ["seed/patron-block-conditions"]),
    ("mod-template-engine", "templates", ["seed/templates"]),
    ("mod-password-validator", "tenant/rules", ["seed/rules"]),
]

# loadReference=true. Alphabetical, but a statistical code needs its type and the circulation rules their policies.
INVENTORY_REFERENCE = [
    "alternative-title-types", "call-number-types", "classification-types", "contributor-name-types",
    "contributor-types", "electronic-access-relationships", "holdings-note-types", "holdings-sources",
    "holdings-types", "identifier-types", "ill-policies", "instance-formats", "instance-note-types",
    "instance-relationship-types", "instance-statuses", "instance-types", "item-damaged-statuses",
    "item-note-types", "loan-types", "material-types", "modes-of-issuance", "nature-of-content-terms",
    "service-points", "statistical-code-types", "statistical-codes",
]
CIRCULATION_REFERENCE = [
    "loan-policy-storage/loan-policies", "request-policy-storage/request-policies",
    "patron-notice-policy-storage/patron-notice-policies", "cancellation-reason-storage/cancellation-reasons",
    "circulation-settings-storage/circulation-settings",
]
REFERENCE = (
    [(INVENTORY, name, [f"reference-data/{name}"]) for name in INVENTORY_REFERENCE]
    + [(USERS, "groups", ["ref-data/groups-17.3.0"]), (USERS, "addresstypes", ["ref-data/addresstypes-15.4.0"])]
    + [(FEES, name, [f"reference-data/{name}"]) for name in ("overdue-fines-policies", "lost-item-fees-policies")]
    + [(CIRCULATION, path, [f"reference-data/{path}"]) for path in CIRCULATION_REFERENCE]
    + [(CIRCULATION, "circulation-rules-storage", ["reference-data/circulation-rules-storage"])]
    + [(LINKS, name, [f"reference-data/{name}"]) for name in ("authority-note-types", "authority-source-files")]
)

# loadSample=true.
SAMPLE = [
    (INVENTORY, "location-units/institutions", ["sample-data/location-units/institutions"]),
    (INVENTORY, "location-units/campuses", ["sample-data/location-units/campuses"]),
    (INVENTORY, "location-units/libraries", ["sample-data/location-units/libraries"]),
    (INVENTORY, "locations", ["sample-data/locations"]),
    (INVENTORY, "holdings-sources", ["sample-data/holdings-sources"]),
    (INVENTORY, "instance-storage/instances", ["sample-data/instances", "sample-data/bound-with/instances"]),
    (INVENTORY, "holdings-storage/holdings", ["sample-data/holdingsrecords", "sample-data/bound-with/holdingsrecords"]),
    (INVENTORY, "item-storage/items", ["sample-data/items", "sample-data/bound-with/items"]),
    (INVENTORY, "instance-storage/instance-relationships", ["sample-data/instance-relationships"]),
    (INVENTORY, "inventory-storage/bound-with-parts", ["sample-data/bound-with/bound-with-parts"]),
    (USERS, "groups", ["sample-data/groups-19.4.0"]),
    (USERS, "users", ["sample-data/users-15.4.0", "sample-data/users-17.3.0"]),
    (CIRCULATION, "loan-storage/loans", ["sample-data/loans"]),
]

# Sample records of our own, which this script does not write: their folder stays.
OWN_SAMPLE = [
    (COURSES, f"coursereserves/{name}") for name in (
        "terms", "departments", "coursetypes", "roles", "processingstatuses", "copyrightstatuses", "courselistings",
        "courses", "instructors", "reserves")
]


# Rows every tenant has that FOLIO's modules make in code, not from files; FOLIO leaves their ids to chance.
MADE_IN_CODE = [
    ("mod-notes", "note-types", [{"id": "d2e9a6f4-6d0c-4c1a-9a77-0c6f1e0b5a01", "name": "General note"}]),
    ("mod-tags", "tags", [
        {"id": "d2e9a6f4-6d0c-4c1a-9a77-0c6f1e0b5a02", "label": "important"},
        {"id": "d2e9a6f4-6d0c-4c1a-9a77-0c6f1e0b5a03", "label": "urgent"},
    ]),
    (USERS, "users/configurations/entry", [{
        "id": "d2e9a6f4-6d0c-4c1a-9a77-0c6f1e0b5a04", "configName": "PROFILE_PICTURE_CONFIG", "enabled": False,
        "enabledObjectStorage": False, "encryptionKey": "ThisIsASimpleDefaultKeyToTestIts", "maxFileSize": 4,
    }]),
    ("mod-audit", "audit/config/groups", [
        {"id": f"d2e9a6f4-6d0c-4c1a-9a77-0c6f1e0b5a{number:02x}", "key": key, "value": value, "type": kind,
         "description": description.format(group), "groupId": f"audit.{group}"}
        for number, (group, (key, kind, value, description)) in enumerate(
            ((group, setting) for setting in [
                ("records.page.size", "INTEGER", 10, "Number of records to display per page"),
                ("enabled", "BOOLEAN", True, "Defines if the {} audit is enabled"),
                ("records.retention.period", "INTEGER", -1, "Retention period for {} record in days"),
            ] for group in ("inventory", "authority")), 0x11)
    ]),
]


# FOLIO shows the ids of the rows; the records name them otherwise, and one of them names another.
RULE_IDS = {"5e515a3c-c27a-4304-a33b-b260ce15ffaf": "0ff6678f-53cd-4a32-9937-504c28f14077"}


def with_row_id(record: dict) -> dict:
    if "ruleId" not in record:
        return record
    rule = record["ruleId"]
    rest = {name: value for name, value in record.items() if name != "ruleId"}
    return {"id": RULE_IDS.get(rule, rule), **rest}


def records(folder: Path):
    """The records of one folder, in the order of their file names."""
    files = sorted(folder.glob("*.json"))
    if not files:
        sys.exit(f"no records in {folder}")
    for file in files:
        yield with_row_id(json.loads(file.read_text(encoding="utf-8")))


def compact(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def file_of(name: str, module: str, path: str) -> str:
    return f"{name}/{module}/{path.split('/')[-1]}.ndjson"


def line(name: str, module: str, path: str) -> str:
    """The line of a collection in the load order."""
    return f"{name}\t{module}\t/{path}\t{file_of(name, module, path)}"


def write_file(target: Path, name: str, module: str, path: str, rows: list) -> str:
    """Writes the records of one collection; its line in the load order."""
    file = file_of(name, module, path)
    (target / file).parent.mkdir(parents=True, exist_ok=True)
    (target / file).write_text("".join(compact(r) + "\n" for r in rows), encoding="utf-8")
    return line(name, module, path)


def write_collections(source: Path, target: Path) -> None:
    order = ["set\tmodule\tpath\tfile"]
    for name, collections in (("seed", SEED), ("reference", REFERENCE), ("sample", SAMPLE)):
        for folder in (target / name).glob("*"):
            if folder.name != COURSES:
                shutil.rmtree(folder)
        for module, path, folders in collections:
            rows = [r for folder in folders for r in records(source / module / folder)]
            order.append(write_file(target, name, module, path, rows))
        if name == "seed":
            for module, path, rows in MADE_IN_CODE:
                order.append(write_file(target, name, module, path, rows))
    order += [line("sample", module, path) for module, path in OWN_SAMPLE]
    (target / "load-order.tsv").write_text("\n".join(order) + "\n", encoding="utf-8")


def write_descriptors(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "routes-permissions.tsv", target / "routes-permissions.tsv")
    for name in ("permission-sets.json", "modules.json"):
        content = json.loads((source / name).read_text(encoding="utf-8"))
        # One module a line: small, and a change shows as one line in a diff.
        (target / name).write_text("[" + ",\n".join(compact(m) for m in content) + "]\n", encoding="utf-8")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = Path(sys.argv[1])
    target = Path(__file__).resolve().parent.parent / "crates/store/data"
    write_collections(source, target)
    write_descriptors(source / "descriptors", target / "descriptors")
    shutil.copyfile(source / "LICENSE-Apache-2.0.txt", target / "LICENSE-Apache-2.0.txt")


if __name__ == "__main__":
    main()
