/** The members of Swagger UI's configuration that the page uses. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Configuration<Request> {
    domNode: HTMLElement;
    url: string;
    docExpansion: "none" | "list" | "full";
    filter: boolean;
    validatorUrl: string | null;
    requestInterceptor: (request: Request) => Request;
  }
  export default function SwaggerUI<Request>(configuration: Configuration<Request>): unknown;
}
