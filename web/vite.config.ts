import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { catalogues } from "./scripts/po.mjs";

/** Where `npm run dev` finds a running Carrel. */
const carrel = process.env.CARREL_URL ?? "http://localhost:8080";

export default defineConfig({
  plugins: [
    react(),
    catalogues(),
    // React Aria carries its own texts in 30 languages; the pages speak three.
    { ...optimizeLocales.vite({ locales: ["en-US", "de-DE", "es-ES"] }), enforce: "pre" },
  ],
  build: {
    target: "es2022",
    chunkSizeWarningLimit: 1600, // Swagger UI, loaded by the API page alone
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left alone, the desk would begin with more than sixty files, most of them tiny.
          groups: [
            { name: "vendor", tags: ["$initial"], test: /node_modules/, priority: 3 },
            { name: "desk", tags: ["$initial"], priority: 2 },
            {
              name: (module) => /locales\/(\w+)\//.exec(module)?.[1],
              debugName: "languages",
              test: /\.po$/,
              priority: 2,
            },
            { name: "common", minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "/folio": carrel, "/status.json": carrel, "/openapi.json": carrel, "/lab": carrel },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
