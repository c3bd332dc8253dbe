package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley dead-letters}: lists records that could not be processed, and redrives them. */
@Command(
        name = "dead-letters",
        mixinStandardHelpOptions = true,
        description =
                "Shows records that could not be read or processed, and sends each to its topic again, once. Requires a running"
                        + " server and the key of an installation administrator. Exit status: 0 on success, 1 otherwise.")
public final class DeadLettersCommand {
    private static final ObjectMapper JSON = JsonMappers.stored();

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    static final class Filters {
        @Option(names = "--topic", paramLabel = "TOPIC", description = "only dead letters from this topic")
        private @Nullable String topic;

        @Option(names = "--by", paramLabel = "NAME", description = "only dead letters of this processor or worker")
        private @Nullable String by;

        @Option(names = "--type", paramLabel = "RECORD", description = "only records of this type, such as SubmitTurn")
        private @Nullable String type;

        @Option(
                names = "--from",
                paramLabel = "TIME",
                description = "only from this time on, such as 2026-11-24T00:00:00Z")
        private @Nullable String from;

        Map<String, String> filters() {
            var filters = new LinkedHashMap<String, String>();
            put(filters, "topic", topic);
            put(filters, "by", by);
            put(filters, "type", type);
            put(filters, "from", from);
            return filters;
        }

        private static void put(Map<String, String> filters, String name, @Nullable String value) {
            if (value != null) {
                filters.put(name, value);
            }
        }

        String query() {
            return filters().entrySet().stream()
                    .map(filter -> "&" + filter.getKey() + "=" + ApiClient.encode(filter.getValue()))
                    .collect(Collectors.joining());
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists dead letters, the newest first.")
    int list(
            @Mixin Filters filters,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "how many (50, at most 200)")
                    int limit)
            throws InterruptedException {
        return server.run(client -> {
            JsonNode page = client.get("/v1/dead-letters?limit=" + limit + filters.query());
            page.path("data").forEach(this::print);
            if (page.path("data").isEmpty()) {
                out().println("There are none.");
            } else if (page.path("next").isTextual()) {
                out().println("There are more: raise --limit, or filter.");
            }
            return 0;
        });
    }

    private void print(JsonNode letter) {
        out().printf(
                        "%-8s %s  %s %s  %s  %s: %s%s%n",
                        letter.path("id").asText(),
                        letter.path("at").asText(),
                        letter.path("topic").asText(),
                        letter.path("type").asText(),
                        letter.path("key").asText(),
                        letter.path("by").asText(),
                        letter.path("cause").asText().lines().findFirst().orElse(""),
                        letter.path("redriven").isTextual() ? "  (re-driven)" : "");
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows a dead letter with its content, as JSON.")
    int show(@Parameters(paramLabel = "ID", description = "its id, such as 0-17") String id)
            throws InterruptedException {
        return server.run(client -> {
            JsonNode letter = client.get("/v1/dead-letters/" + ApiClient.encode(id));
            out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(letter));
            return 0;
        });
    }

    @Command(
            name = "redrive",
            mixinStandardHelpOptions = true,
            description = "Re-drives dead letters: sends them to their topics, unchanged. Each is re-driven once.")
    int redrive(
            @Parameters(paramLabel = "ID", arity = "0..*", description = "ids of dead letters") @Nullable
                    List<String> ids,
            @Option(names = "--all", description = "all that match the filters") boolean all,
            @Mixin Filters filters)
            throws InterruptedException {
        boolean hasIds = ids != null && !ids.isEmpty();
        if (hasIds == all) {
            throw new ParameterException(spec.commandLine(), "Name the ids of dead letters, or pass --all.");
        }
        return server.run(client -> {
            int sent = 0;
            if (hasIds) {
                for (String id : Objects.requireNonNull(ids)) {
                    sent += countRedriven(client.post("/v1/dead-letters/" + ApiClient.encode(id) + "/redrive"));
                }
            } else {
                sent = redriveAll(client, filters);
            }
            out().printf("%d re-driven.%n", sent);
            return 0;
        });
    }

    /** Redrives the dead letters up to now, so that a record which fails again is not sent in a loop. */
    private static int redriveAll(ApiClient client, Filters filters) throws IOException, InterruptedException {
        JsonNode newest = client.get("/v1/dead-letters?limit=1" + filters.query())
                .path("data")
                .path(0);
        if (newest.isMissingNode()) {
            return 0;
        }
        var query = filters.filters();
        query.put("to", Instant.parse(newest.path("at").asText()).plusMillis(1).toString());
        String body = JSON.writeValueAsString(query);
        int sent = 0;
        while (true) {
            JsonNode result = client.post(
                    "/v1/dead-letters/redrive", body, UUID.randomUUID().toString());
            sent += countRedriven(result);
            if (countRedriven(result) == 0 || result.path("left").asInt() == 0) {
                return sent;
            }
        }
    }

    private static int countRedriven(JsonNode result) {
        return result.path("redriven").size();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
