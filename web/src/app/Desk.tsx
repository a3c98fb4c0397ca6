/** Shows a page of the desk only where a service point has been chosen. */
import { Outlet } from "@tanstack/react-router";
import { useSession } from "../features/session/session";
import { later } from "../ui/later";

const ServicePointPage = later(() =>
  import("../features/service-points/ServicePointPage").then((file) => file.default),
);

export function Desk() {
  const session = useSession();
  if (!session) return null;
  if (session.servicePoint) return <Outlet />;
  return <ServicePointPage session={session} />;
}
