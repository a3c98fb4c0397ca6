/** The API document with Swagger UI, loaded on demand. */
import { useEffect, useRef } from "react";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { callerHeaders } from "../../api/client";
import { usePageTitle } from "../../lib/usePageTitle";
import styles from "./ApiPage.module.css";

export default function ApiPage() {
  const ref = useRef<HTMLDivElement>(null);
  usePageTitle("API");
  useEffect(() => {
    if (!ref.current) return;
    SwaggerUI({
      domNode: ref.current,
      url: "/openapi.json",
      docExpansion: "none",
      filter: true,
      validatorUrl: null,
      requestInterceptor: withCaller,
    });
  }, []);
  return (
    <main className={styles.page}>
      <h1>API</h1>
      <p>
        The same document as a file: <a href="/openapi.json">openapi.json</a>. Calls that you try
        out here are made as the user who is signed in.
      </p>
      <div ref={ref} className={styles.document} />
    </main>
  );
}

interface SwaggerRequest {
  headers: Record<string, string>;
}

function withCaller(request: SwaggerRequest): SwaggerRequest {
  return { ...request, headers: { ...callerHeaders(), ...request.headers } };
}
