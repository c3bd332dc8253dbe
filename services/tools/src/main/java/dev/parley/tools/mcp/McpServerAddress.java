package dev.parley.tools.mcp;

import dev.parley.platform.outbound.HeaderName;
import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.outbound.Authorization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/** The address of a server, or the command that starts it. */
sealed interface McpServerAddress {
    /** A server with streamable HTTP. */
    record Web(HttpUrl url, Map<String, String> headers, Optional<Authorization> auth) implements McpServerAddress {}

    /** A program of this machine that uses standard input and output, with this environment only. */
    record Program(List<String> command, Map<String, String> environment) implements McpServerAddress {}

    /** The name in messages. */
    default String label() {
        return switch (this) {
            case Web web -> web.url().host();
            case Program program -> program.command().getFirst();
        };
    }

    /**
     * The field {@code server}: {@code {"url", "headers"?, "auth"?}} or {@code {"command", "args"?, "env"?}}.
     *
     * @param noPrograms why no programs may be started; empty if they may
     * @throws IllegalArgumentException naming the invalid field
     */
    static McpServerAddress of(DefinitionFields definition, Optional<String> noPrograms) {
        DefinitionFields server = definition
                .object("server", "url", "headers", "auth", "command", "args", "env")
                .orElseThrow(() -> new IllegalArgumentException(definition.path("server") + " is missing"));
        if (server.has("url") == server.has("command")) {
            throw new IllegalArgumentException(definition.path("server") + " must have either a url or a command");
        }
        if (server.has("url")) {
            return new Web(
                    Outbound.url(server.path("url"), server.text("url")),
                    HeaderName.requireValid(server.path("headers"), server.texts("headers")),
                    Authorization.of(server));
        }
        if (noPrograms.isPresent()) {
            throw new IllegalArgumentException(server.path("command") + " is not allowed here: " + noPrograms.get());
        }
        var command = new ArrayList<>(List.of(server.text("command")));
        command.addAll(server.list("args"));
        return new Program(List.copyOf(command), requireValid(server.path("env"), server.texts("env")));
    }

    private static Map<String, String> requireValid(String path, Map<String, String> environment) {
        environment.forEach((name, value) -> {
            if (name.isEmpty() || name.contains("=") || (name + value).indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        path + " must have names without '=', and names and values without NUL characters");
            }
        });
        return environment;
    }
}
