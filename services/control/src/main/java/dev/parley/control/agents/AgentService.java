package dev.parley.control.agents;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Agent operations shared by the routes of projects and hosts. */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = Agents.class)
final class AgentService {
    private final Agents agents;
    private final AgentRequests requests;

    AgentService(Agents agents, AgentRequests requests) {
        this.agents = agents;
        this.requests = requests;
    }

    /** Filters of a list of agents; null means false. */
    record Filter(
            @Nullable Boolean builtinOnly,
            @Nullable Boolean hidden,
            @Nullable Boolean inactive) {
        boolean matches(AgentEntry agent) {
            return (is(hidden) || !agent.agent().hidden())
                    && (!is(builtinOnly) || agent.source().equals("builtin"));
        }
    }

    private static boolean is(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag);
    }

    /** A page of agents by name, deleted ones last. */
    Page<JsonNode> list(DefinitionScope scope, Filter filter, @Nullable Integer limit, @Nullable String after) {
        int max = Cursor.limit(limit);
        Cursor cursor = Cursor.parse(after);
        Stream<AgentEntry> deleted = is(filter.inactive()) ? agents.listOwn(scope, false).stream() : Stream.empty();
        List<AgentEntry> rows = Stream.concat(agents.visible(scope).stream(), deleted)
                .filter(filter::matches)
                .filter(agent -> cursor == null || follows(agent, cursor))
                .limit(max + 1L)
                .toList();
        return Page.of(rows, max, AgentEntry::json, row -> Cursor.of(row.active(), row.name()));
    }

    private static boolean follows(AgentEntry agent, Cursor cursor) {
        boolean active = Boolean.parseBoolean(cursor.first());
        return agent.active() == active ? agent.name().compareTo(cursor.second()) > 0 : active;
    }

    HttpResponse<JsonNode> show(DefinitionScope scope, String name) {
        AgentEntry agent = agents.find(scope, name);
        boolean isOwn = agent.source().equals(scope.word());
        return isOwn ? withETag(HttpResponse.ok(agent.json()), agent) : HttpResponse.ok(agent.json());
    }

    private static HttpResponse<JsonNode> withETag(MutableHttpResponse<JsonNode> response, AgentEntry agent) {
        return agent.row() == 0 ? response : response.header("ETag", IfMatch.tag(agent.row()));
    }

    HttpResponse<JsonNode> create(DefinitionScope scope, JsonNode body, @Nullable Boolean dryRun) {
        AgentEntry created = agents.create(scope, requests.read(null, body), is(dryRun));
        return withETag(is(dryRun) ? HttpResponse.ok(created.json()) : HttpResponse.created(created.json()), created);
    }

    HttpResponse<JsonNode> replace(
            DefinitionScope scope, String name, JsonNode body, @Nullable String ifMatch, @Nullable Boolean dryRun) {
        AgentEntry replaced = agents.replace(scope, requests.read(name, body), ifMatch, is(dryRun));
        return withETag(HttpResponse.ok(replaced.json()), replaced);
    }

    HttpResponse<Void> delete(DefinitionScope scope, String name, @Nullable String ifMatch) {
        return HttpResponse.<Void>noContent()
                .header(HttpHeaders.LOCATION, "/v1/erasures/" + agents.delete(scope, name, ifMatch));
    }
}
