/** The pages and their paths. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { DeskPage } from "../features/desk/DeskPage";
import { later } from "../ui/later";
import { Desk } from "./Desk";
import { NotFound } from "./NotFound";
import { PageFailed } from "./PageFailed";
import { Shell } from "./Shell";
import { SignedIn } from "./SignedIn";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Pages for a signed-in user. */
const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: SignedIn });

/** Pages that need a service point as well. */
const desk = createRoute({ getParentRoute: () => signedIn, id: "desk", component: Desk });

/** One page for both modes of the desk, so that nothing is drawn anew between them. It belongs to the first load; every other page is lazy. */
const scanning = createRoute({ getParentRoute: () => desk, id: "scanning", component: DeskPage });

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/check-out", replace: true });
  },
});

const page = <Parent extends AnyRoute, Path extends string>(
  parent: Parent,
  path: Path,
  component: RouteComponent,
) => createRoute({ getParentRoute: () => parent, path, component });

/** A page that is loaded when it is first opened: what its file exports by default, or under this name. */
function latePage<Name extends string = "default">(
  load: () => Promise<Record<Name, ComponentType>>,
  name = "default" as Name,
) {
  return later(() => load().then((file) => file[name]), { isPage: true });
}

const deskPages = desk.addChildren([
  scanning.addChildren([
    page(scanning, "/check-out", () => null),
    page(scanning, "/check-in", () => null),
  ]),
  page(
    desk,
    "/slips",
    latePage(() => import("../features/slips/SlipsPage")),
  ),
]);

const apiDocs = page(
  root,
  "/api",
  latePage(() => import("../features/api-docs/ApiPage")),
);

const archivesPages = [
  page(
    signedIn,
    "/archives",
    latePage(() => import("../features/archives/lists/ListPage")),
  ),
  page(
    signedIn,
    "/archives/jobs",
    latePage(() => import("../features/archives/jobs/JobsPage")),
  ),
  page(
    signedIn,
    "/archives/import",
    latePage(() => import("../features/archives/jobs/ImportPage")),
  ),
  page(
    signedIn,
    "/archives/circulation",
    latePage(() => import("../features/archives/circulation/CirculationPage")),
  ),
  page(
    signedIn,
    "/archives/$repository/jobs/$id",
    latePage(() => import("../features/archives/jobs/JobPage")),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id",
    latePage(() => import("../features/archives/resource/ResourcePage")),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id/finding-aid",
    latePage(() => import("../features/archives/finding-aid/FindingAidPage")),
  ),
  // Accessions, digital objects, top containers, agents, subjects.
  page(
    signedIn,
    "/archives/$repository/$",
    latePage(() => import("../features/archives/record/RecordPage")),
  ),
];

const instanceForm = latePage(() => import("../features/catalogue/InstanceForm"));
const holdingsForms = () => import("../features/catalogue/HoldingsForm");
const itemForms = () => import("../features/catalogue/ItemForm");

const cataloguePages = [
  page(
    signedIn,
    "/catalogue",
    latePage(() => import("../features/catalogue/CataloguePage")),
  ),
  page(
    signedIn,
    "/catalogue/browse/$list",
    latePage(() => import("../features/catalogue/BrowsePage")),
  ),
  page(signedIn, "/catalogue/instances/new", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id",
    latePage(() => import("../features/catalogue/InstancePage")),
  ),
  page(signedIn, "/catalogue/instances/$id/edit", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id/holdings/new",
    latePage(holdingsForms, "NewHoldingsForm"),
  ),
  page(signedIn, "/catalogue/holdings/$id/edit", latePage(holdingsForms)),
  page(signedIn, "/catalogue/holdings/$id/items/new", latePage(itemForms, "NewItemForm")),
  page(
    signedIn,
    "/catalogue/items/$id",
    latePage(() => import("../features/catalogue/ItemPage")),
  ),
  page(signedIn, "/catalogue/items/$id/edit", latePage(itemForms)),
] as const;

const kindPages = () => import("../features/settings/KindPages");

const settingsPages = [
  page(
    signedIn,
    "/settings",
    latePage(() => import("../features/settings/SettingsPage")),
  ),
  page(
    signedIn,
    "/settings/circulation-rules",
    latePage(() => import("../features/settings/rules/RulesPage")),
  ),
  page(signedIn, "/settings/$kind", latePage(kindPages)),
  page(signedIn, "/settings/$kind/new", latePage(kindPages, "KindFormPage")),
  page(signedIn, "/settings/$kind/$id", latePage(kindPages, "KindDetailPage")),
  page(signedIn, "/settings/$kind/$id/edit", latePage(kindPages, "KindFormPage")),
];

const patronPages = [
  page(
    signedIn,
    "/patrons",
    latePage(() => import("../features/patrons/PatronsPage")),
  ),
  page(
    signedIn,
    "/patrons/new",
    latePage(() => import("../features/patrons/PatronFormPage")),
  ),
  page(
    signedIn,
    "/patrons/$userId",
    latePage(() => import("../features/patrons/PatronPage")),
  ),
  page(
    signedIn,
    "/patrons/$userId/edit",
    latePage(() => import("../features/patrons/PatronFormPage")),
  ),
] as const;

const requestPages = [
  page(
    signedIn,
    "/requests",
    latePage(() => import("../features/requests/RequestsPage")),
  ),
  page(
    signedIn,
    "/requests/new",
    latePage(() => import("../features/requests/NewRequestPage")),
  ),
  page(
    signedIn,
    "/requests/queue/$kind/$id",
    latePage(() => import("../features/requests/QueuePage")),
  ),
  page(
    signedIn,
    "/requests/$requestId",
    latePage(() => import("../features/requests/RequestPage")),
  ),
] as const;

/** One line for each page: `page(signedIn, "/patrons", latePage(() => import("../features/patrons/PatronsPage")))`. */
const pages = signedIn.addChildren([
  home,
  deskPages,
  page(
    signedIn,
    "/sounds",
    latePage(() => import("../features/scanning/SoundsPage")),
  ),
  page(
    signedIn,
    "/performance",
    latePage(() => import("../features/performance/PerformancePage")),
  ),
  page(
    signedIn,
    "/performance/runs/$run",
    latePage(() => import("../features/performance/LabRunPage")),
  ),
  ...archivesPages,
  ...cataloguePages,
  ...settingsPages,
  ...patronPages,
  ...requestPages,
]);

export const router = createRouter({
  routeTree: root.addChildren([pages, apiDocs]),
  defaultErrorComponent: PageFailed,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
