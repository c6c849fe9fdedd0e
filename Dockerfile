# Builds the compiled program, then keeps only what production needs. docs/deploy.md ("Containers") says how to run it.
# Any image with Node.js, npm and the user `node` will do, such as the mirror of your company: --build-arg BASE=...
ARG BASE=node:26-slim
FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${BASE}
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="roster-sync" \
      org.opencontainers.image.description="Puts every person of an HR export into the right groups of a learning service" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /build/dist ./dist
COPY bin ./bin
COPY config/*.yaml config/*.json ./config/
COPY examples ./examples
# Rejected rows and reports; with PostgreSQL the ledger is not here.
RUN mkdir /data && chown node:node /data
ENV ROSTER_SYNC_DATA_DIR=/data
VOLUME /data
USER node
ENTRYPOINT ["node", "/app/bin/roster-sync.cjs"]
CMD ["--help"]
