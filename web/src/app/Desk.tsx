/** Shows a page of the desk only where a service point has been chosen. */
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useSession } from "../features/session/session";

const ServicePointPage = lazy(() => import("../features/service-points/ServicePointPage"));

export function Desk() {
  const session = useSession();
  if (!session) return null;
  if (session.servicePoint) return <Outlet />;
  return (
    <Suspense>
      <ServicePointPage session={session} />
    </Suspense>
  );
}
