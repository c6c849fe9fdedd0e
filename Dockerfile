# Builds the compiled program, then keeps only what production needs. Check it without an engine: docs/operations.md.
FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:26-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /build/dist ./dist
COPY bin ./bin
COPY config ./config
COPY examples ./examples
# Rejected rows and reports; with PostgreSQL the ledger is not here.
RUN mkdir /data && chown node:node /data
ENV ROSTER_SYNC_DATA_DIR=/data
VOLUME /data
USER node
ENTRYPOINT ["node", "/app/bin/roster-sync.cjs"]
CMD ["--help"]
