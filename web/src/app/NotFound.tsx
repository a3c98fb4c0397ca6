import { Link } from "@tanstack/react-router";

export function NotFound() {
  return (
    <main>
      <h1>There is no such page</h1>
      <p>
        <Link to="/">Back to the desk</Link>
      </p>
    </main>
  );
}
