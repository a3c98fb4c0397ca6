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

const latePage = (load: () => Promise<ComponentType>) => later(load, { isPage: true });

const deskPages = desk.addChildren([
  scanning.addChildren([
    page(scanning, "/check-out", () => null),
    page(scanning, "/check-in", () => null),
  ]),
  page(
    desk,
    "/slips",
    latePage(() => import("../features/slips/SlipsPage").then((file) => file.SlipsPage)),
  ),
]);

const apiDocs = page(
  root,
  "/api",
  latePage(() => import("../features/api-docs/ApiPage").then((file) => file.default)),
);

const archivesPages = [
  page(
    signedIn,
    "/archives",
    latePage(() => import("../features/archives/lists/ListPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/archives/jobs",
    latePage(() => import("../features/archives/jobs/JobsPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/archives/import",
    latePage(() => import("../features/archives/jobs/ImportPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/archives/circulation",
    latePage(() =>
      import("../features/archives/circulation/CirculationPage").then((file) => file.default),
    ),
  ),
  page(
    signedIn,
    "/archives/$repository/jobs/$id",
    latePage(() => import("../features/archives/jobs/JobPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id",
    latePage(() =>
      import("../features/archives/resource/ResourcePage").then((file) => file.default),
    ),
  ),
  page(
    signedIn,
    "/archives/$repository/resources/$id/finding-aid",
    latePage(() =>
      import("../features/archives/finding-aid/FindingAidPage").then((file) => file.default),
    ),
  ),
  // Accessions, digital objects, top containers, agents, subjects.
  page(
    signedIn,
    "/archives/$repository/$",
    latePage(() => import("../features/archives/record/RecordPage").then((file) => file.default)),
  ),
];

const instanceForm = latePage(() =>
  import("../features/catalogue/InstanceForm").then((file) => file.default),
);
const holdingsForms = () => import("../features/catalogue/HoldingsForm");
const itemForms = () => import("../features/catalogue/ItemForm");

const cataloguePages = [
  page(
    signedIn,
    "/catalogue",
    latePage(() => import("../features/catalogue/CataloguePage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/catalogue/browse/$list",
    latePage(() => import("../features/catalogue/BrowsePage").then((file) => file.default)),
  ),
  page(signedIn, "/catalogue/instances/new", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id",
    latePage(() => import("../features/catalogue/InstancePage").then((file) => file.default)),
  ),
  page(signedIn, "/catalogue/instances/$id/edit", instanceForm),
  page(
    signedIn,
    "/catalogue/instances/$id/holdings/new",
    latePage(() => holdingsForms().then((file) => file.NewHoldingsForm)),
  ),
  page(
    signedIn,
    "/catalogue/holdings/$id/edit",
    latePage(() => holdingsForms().then((file) => file.default)),
  ),
  page(
    signedIn,
    "/catalogue/holdings/$id/items/new",
    latePage(() => itemForms().then((file) => file.NewItemForm)),
  ),
  page(
    signedIn,
    "/catalogue/items/$id",
    latePage(() => import("../features/catalogue/ItemPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/catalogue/items/$id/edit",
    latePage(() => itemForms().then((file) => file.default)),
  ),
] as const;

const kindPages = () => import("../features/settings/KindPages");

const settingsPages = [
  page(
    signedIn,
    "/settings",
    latePage(() => import("../features/settings/SettingsPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/settings/circulation-rules",
    latePage(() => import("../features/settings/rules/RulesPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/settings/$kind",
    latePage(() => kindPages().then((file) => file.default)),
  ),
  page(
    signedIn,
    "/settings/$kind/new",
    latePage(() => kindPages().then((file) => file.KindFormPage)),
  ),
  page(
    signedIn,
    "/settings/$kind/$id",
    latePage(() => kindPages().then((file) => file.KindDetailPage)),
  ),
  page(
    signedIn,
    "/settings/$kind/$id/edit",
    latePage(() => kindPages().then((file) => file.KindFormPage)),
  ),
];

const patronPages = [
  page(
    signedIn,
    "/patrons",
    latePage(() => import("../features/patrons/PatronsPage").then((file) => file.PatronsPage)),
  ),
  page(
    signedIn,
    "/patrons/new",
    latePage(() =>
      import("../features/patrons/PatronFormPage").then((file) => file.PatronFormPage),
    ),
  ),
  page(
    signedIn,
    "/patrons/$userId",
    latePage(() => import("../features/patrons/PatronPage").then((file) => file.PatronPage)),
  ),
  page(
    signedIn,
    "/patrons/$userId/edit",
    latePage(() =>
      import("../features/patrons/PatronFormPage").then((file) => file.PatronFormPage),
    ),
  ),
] as const;

const requestPages = [
  page(
    signedIn,
    "/requests",
    latePage(() => import("../features/requests/RequestsPage").then((file) => file.RequestsPage)),
  ),
  page(
    signedIn,
    "/requests/new",
    latePage(() =>
      import("../features/requests/NewRequestPage").then((file) => file.NewRequestPage),
    ),
  ),
  page(
    signedIn,
    "/requests/queue/$kind/$id",
    latePage(() => import("../features/requests/QueuePage").then((file) => file.QueuePage)),
  ),
  page(
    signedIn,
    "/requests/$requestId",
    latePage(() => import("../features/requests/RequestPage").then((file) => file.RequestPage)),
  ),
] as const;

/** One line for each page: `page(signedIn, "/patrons", latePage(() => import("../features/patrons/PatronsPage").then(…)))`. */
const pages = signedIn.addChildren([
  home,
  deskPages,
  page(
    signedIn,
    "/sounds",
    latePage(() => import("../features/scanning/SoundsPage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/performance",
    latePage(() => import("../features/performance/PerformancePage").then((file) => file.default)),
  ),
  page(
    signedIn,
    "/performance/runs/$run",
    latePage(() => import("../features/performance/LabRunPage").then((file) => file.default)),
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
