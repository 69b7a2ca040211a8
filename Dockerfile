# Paydesk in a container: runs without root and writes only to /data, so the root file system can be read-only.

FROM node:26-alpine AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages contain Node for those who run a checkout; the image has its own.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26-alpine AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The libraries that the dashboard is built with and from are optional packages too.
RUN npm ci --omit=dev --ignore-scripts
COPY dashboard dashboard
RUN node dashboard/build.ts

FROM node:26-alpine
COPY --from=packages /app/node_modules /app/node_modules
COPY package.json LICENSE /app/
COPY bin /app/bin
COPY docs /app/docs
COPY src /app/src
COPY --from=dashboard /app/dashboard/dist /app/dashboard/dist
RUN mkdir -m 700 /data && chown node:node /data
USER node
# The data is in data/ of the working directory by default, so here it is /data.
WORKDIR /
ENV HOST=0.0.0.0 PORT=4020 PAYDESK_METRICS_ADDRESS=0.0.0.0:4021
VOLUME /data
EXPOSE 4020 4021
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/bin/paydesk"]
CMD ["start"]
