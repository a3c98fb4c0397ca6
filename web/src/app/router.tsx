/** The pages and their paths. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { CheckInPage } from "../features/check-in/CheckInPage";
import { CheckOutPage } from "../features/check-out/CheckOutPage";
import { SlipsPage } from "../features/slips/SlipsPage";
import { Desk } from "./Desk";
import { NotFound } from "./NotFound";
import { Shell } from "./Shell";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const desk = createRoute({ getParentRoute: () => root, id: "desk", component: Desk });

const home = createRoute({
  getParentRoute: () => desk,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/check-out", replace: true });
  },
});

const checkOut = createRoute({
  getParentRoute: () => desk,
  path: "/check-out",
  component: CheckOutPage,
});

const checkIn = createRoute({
  getParentRoute: () => desk,
  path: "/check-in",
  component: CheckInPage,
});

const slips = createRoute({
  getParentRoute: () => desk,
  path: "/slips",
  component: SlipsPage,
});

const apiDocs = createRoute({
  getParentRoute: () => root,
  path: "/api",
  component: lazyRouteComponent(() => import("../features/api-docs/ApiPage")),
});

const routeTree = root.addChildren([desk.addChildren([home, checkOut, checkIn, slips]), apiDocs]);

export const router = createRouter({ routeTree });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
