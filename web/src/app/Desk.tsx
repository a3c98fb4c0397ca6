/** Shows a page of the desk only where a service point has been chosen. */
import { Outlet } from "@tanstack/react-router";
import { ServicePointPage } from "../features/service-points/ServicePointPage";
import { useSession } from "../features/session/session";

export function Desk() {
  const session = useSession();
  if (!session) return null;
  return session.servicePoint ? <Outlet /> : <ServicePointPage session={session} />;
}
