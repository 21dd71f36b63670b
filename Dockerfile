FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --workspaces=false
COPY . .
RUN npm run build && npm prune --omit=dev --workspaces=false

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/program ./dist/program
COPY --from=build /app/dist/page ./dist/page
COPY --from=build /app/dist/definitions.json ./dist/definitions.json
COPY --from=build /app/sql ./sql
COPY --from=build /app/reports ./reports
COPY --from=build /app/integrations ./integrations
COPY --from=build /app/docs ./docs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
ENV NODE_ENV=production PLUMBLINE_DATABASE=/data/company.duckdb
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "const { PLUMBLINE_OPS_PORT: ops, PLUMBLINE_PORT: port } = process.env; fetch(`http://127.0.0.1:${ops || port || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/program/main.js"]
CMD ["serve", "--host", "0.0.0.0"]
