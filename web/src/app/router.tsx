/** The pages and their paths. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { DeskPage } from "../features/desk/DeskPage";
import { Desk } from "./Desk";
import { NotFound } from "./NotFound";
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

const deskPages = desk.addChildren([
  scanning.addChildren([
    page(scanning, "/check-out", () => null),
    page(scanning, "/check-in", () => null),
  ]),
  page(
    desk,
    "/slips",
    lazyRouteComponent(() => import("../features/slips/SlipsPage"), "SlipsPage"),
  ),
]);

const apiDocs = page(
  root,
  "/api",
  lazyRouteComponent(() => import("../features/api-docs/ApiPage")),
);

const archivesPages = [
  page(
    signedIn,
    "/archives",
    lazyRouteComponent(() => import("../features/archives/lists/ListPage")),
  ),
  page(
    signedIn,
    "/archives/jobs",
    lazyRouteComponent(() => import("../features/archives/jobs/JobsPage")),
  ),
  page(
    signedIn,
    "/archives/import",
    lazyRouteComponent(() => import("../features/archives/jobs/ImportPage")),
  ),
  page(
    signedIn,
    "/archives/circulation",
    lazyRouteComponent(() => import("../features/archives/circulation/CirculationPage")),
  ),
  page(
    signedIn,
    "/archives/$repository/jobs/$id",
    lazyRouteComponent(() => import("../features/archives/jobs/JobPage")),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id",
    lazyRouteComponent(() => import("../features/archives/resource/ResourcePage")),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id/finding-aid",
    lazyRouteComponent(() => import("../features/archives/finding-aid/FindingAidPage")),
  ),
  // Accessions, digital objects, top containers, agents, subjects.
  page(
    signedIn,
    "/archives/$repository/$",
    lazyRouteComponent(() => import("../features/archives/record/RecordPage")),
  ),
];

const instanceForm = lazyRouteComponent(() => import("../features/catalogue/InstanceForm"));
const holdingsForms = () => import("../features/catalogue/HoldingsForm");
const itemForms = () => import("../features/catalogue/ItemForm");

const cataloguePages = [
  page(
    signedIn,
    "/catalogue",
    lazyRouteComponent(() => import("../features/catalogue/CataloguePage")),
  ),
  page(
    signedIn,
    "/catalogue/browse/$list",
    lazyRouteComponent(() => import("../features/catalogue/BrowsePage")),
  ),
  page(signedIn, "/catalogue/instances/new", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id",
    lazyRouteComponent(() => import("../features/catalogue/InstancePage")),
  ),
  page(signedIn, "/catalogue/instances/$id/edit", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id/holdings/new",
    lazyRouteComponent(holdingsForms, "NewHoldingsForm"),
  ),
  page(signedIn, "/catalogue/holdings/$id/edit", lazyRouteComponent(holdingsForms)),
  page(signedIn, "/catalogue/holdings/$id/items/new", lazyRouteComponent(itemForms, "NewItemForm")),
  page(
    signedIn,
    "/catalogue/items/$id",
    lazyRouteComponent(() => import("../features/catalogue/ItemPage")),
  ),
  page(signedIn, "/catalogue/items/$id/edit", lazyRouteComponent(itemForms)),
] as const;

const kindPages = () => import("../features/settings/KindPages");

const settingsPages = [
  page(
    signedIn,
    "/settings",
    lazyRouteComponent(() => import("../features/settings/SettingsPage")),
  ),
  page(
    signedIn,
    "/settings/circulation-rules",
    lazyRouteComponent(() => import("../features/settings/rules/RulesPage")),
  ),
  page(signedIn, "/settings/$kind", lazyRouteComponent(kindPages)),
  page(signedIn, "/settings/$kind/new", lazyRouteComponent(kindPages, "KindFormPage")),
  page(signedIn, "/settings/$kind/$id", lazyRouteComponent(kindPages, "KindDetailPage")),
  page(signedIn, "/settings/$kind/$id/edit", lazyRouteComponent(kindPages, "KindFormPage")),
];

const patronPages = [
  page(
    signedIn,
    "/patrons",
    lazyRouteComponent(() => import("../features/patrons/PatronsPage"), "PatronsPage"),
  ),
  page(
    signedIn,
    "/patrons/new",
    lazyRouteComponent(() => import("../features/patrons/PatronFormPage"), "PatronFormPage"),
  ),
  page(
    signedIn,
    "/patrons/$userId",
    lazyRouteComponent(() => import("../features/patrons/PatronPage"), "PatronPage"),
  ),
  page(
    signedIn,
    "/patrons/$userId/edit",
    lazyRouteComponent(() => import("../features/patrons/PatronFormPage"), "PatronFormPage"),
  ),
] as const;

const requestPages = [
  page(
    signedIn,
    "/requests",
    lazyRouteComponent(() => import("../features/requests/RequestsPage"), "RequestsPage"),
  ),
  page(
    signedIn,
    "/requests/new",
    lazyRouteComponent(() => import("../features/requests/NewRequestPage"), "NewRequestPage"),
  ),
  page(
    signedIn,
    "/requests/queue/$kind/$id",
    lazyRouteComponent(() => import("../features/requests/QueuePage"), "QueuePage"),
  ),
  page(
    signedIn,
    "/requests/$requestId",
    lazyRouteComponent(() => import("../features/requests/RequestPage"), "RequestPage"),
  ),
] as const;

/** One line for each page: `page(signedIn, "/patrons", lazyRouteComponent(() => import("../features/patrons/PatronsPage")))`. */
const pages = signedIn.addChildren([
  home,
  deskPages,
  page(
    signedIn,
    "/sounds",
    lazyRouteComponent(() => import("../features/scanning/SoundsPage")),
  ),
  page(
    signedIn,
    "/performance",
    lazyRouteComponent(() => import("../features/performance/PerformancePage")),
  ),
  page(
    signedIn,
    "/performance/runs/$run",
    lazyRouteComponent(() => import("../features/performance/LabRunPage")),
  ),
  ...archivesPages,
  ...cataloguePages,
  ...settingsPages,
  ...patronPages,
  ...requestPages,
]);

export const router = createRouter({ routeTree: root.addChildren([pages, apiDocs]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
