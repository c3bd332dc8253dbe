package dev.parley.control.agents;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Agent operations shared by the routes of projects and hosts. */
@Singleton
@Requires(beans = Agents.class)
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
        boolean matches(AgentJson agent) {
            return (is(hidden) || !agent.stored().valid().map(Agent::hidden).orElse(false))
                    && (!is(builtinOnly) || agent.source().equals("builtin"));
        }
    }

    private static boolean is(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag);
    }

    /** A page of agents by name, deleted ones last. */
    Page<AgentJson> list(DefinitionScope scope, Filter filter, @Nullable Integer limit, @Nullable String after) {
        int max = Cursor.limit(limit);
        Cursor cursor = Cursor.parse(after);
        Stream<AgentJson> deleted = is(filter.inactive()) ? agents.listOwn(scope, false).stream() : Stream.empty();
        List<AgentJson> rows = Stream.concat(agents.visible(scope).stream(), deleted)
                .filter(filter::matches)
                .filter(agent -> cursor == null || follows(agent, cursor))
                .limit(max + 1L)
                .toList();
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.active(), row.name()));
    }

    private static boolean follows(AgentJson agent, Cursor cursor) {
        boolean active = Boolean.parseBoolean(cursor.first());
        return agent.active() == active ? agent.name().compareTo(cursor.second()) > 0 : active;
    }

    HttpResponse<AgentJson> show(DefinitionScope scope, String name) {
        AgentJson agent = agents.find(scope, name);
        boolean isOwn = agent.source().equals(scope.word());
        return isOwn ? withETag(HttpResponse.ok(agent), agent) : HttpResponse.ok(agent);
    }

    private static HttpResponse<AgentJson> withETag(MutableHttpResponse<AgentJson> response, AgentJson agent) {
        return agent.row() == 0 ? response : response.header("ETag", IfMatch.tag(agent.row()));
    }

    HttpResponse<AgentJson> create(DefinitionScope scope, AgentBody body, @Nullable Boolean dryRun) {
        AgentJson created = agents.create(scope, requests.read(null, body.document()), is(dryRun));
        return withETag(is(dryRun) ? HttpResponse.ok(created) : HttpResponse.created(created), created);
    }

    HttpResponse<AgentJson> replace(
            DefinitionScope scope, String name, AgentBody body, @Nullable String ifMatch, @Nullable Boolean dryRun) {
        AgentJson replaced = agents.replace(scope, requests.read(name, body.document()), ifMatch, is(dryRun));
        return withETag(HttpResponse.ok(replaced), replaced);
    }

    HttpResponse<Void> delete(DefinitionScope scope, String name, @Nullable String ifMatch) {
        return HttpResponse.<Void>noContent()
                .header(HttpHeaders.LOCATION, "/v1/erasures/" + agents.delete(scope, name, ifMatch));
    }
}
