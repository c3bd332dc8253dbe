package dev.parley.mcp;

import dev.parley.platform.api.Api;
import dev.parley.platform.api.OwnApi;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** What answers requests, and the API that it asks. */
@Singleton
@Requires(property = "parley.role.mcp", value = "true")
final class McpBackend {
    private final OwnApi api;
    private final McpServer server;

    McpBackend(OwnApi api) {
        this.api = api;
        this.server = new McpServer(api.roles(), version());
    }

    private static String version() {
        String version = McpBackend.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }

    /** Answers requests. */
    McpServer server() {
        return server;
    }

    /** The API in the name of a caller. */
    Api api(Api.Identity caller) {
        return api.of(caller);
    }
}
