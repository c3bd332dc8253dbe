package dev.parley.channels.a2a;

import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.UsableAgents;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Routes of agent cards. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "A2A", description = "Agents for other agents that speak A2A.")
class CardController {
    private final UsableAgents agents;
    private final PublicUrl url;

    CardController(UsableAgents agents, PublicUrl url) {
        this.agents = agents;
        this.url = url;
    }

    /**
     * Get the card of the default agent. The card of the default project's default agent.
     *
     * @return The card.
     */
    @Authenticated
    @Get("/.well-known/agent-card.json")
    HttpResponse<byte[]> first(@Nullable @Header(A2aVersion.HEADER) String version, Caller caller) {
        return show(RecordKey.DEFAULT_PROJECT, Agent.DEFAULT, version, caller);
    }

    /**
     * Get an agent's card. The agent's card: in version 1.0 of A2A if the header A2A-Version names it, otherwise in
     * version 0.3.
     *
     * @return The card.
     */
    @Authenticated
    @Get("/a2a/{project}/{agent}/.well-known/agent-card.json")
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    HttpResponse<byte[]> show(
            @PathVariable String project,
            @PathVariable String agent,
            @Nullable @Header(A2aVersion.HEADER) String version,
            Caller caller) {
        Project targetProject = caller.require(Capability.PROJECT_READ, project);
        Agent found = agents.require(caller, targetProject, agent);
        byte[] card = ProtocolJson.bytes(AgentCards.card(
                dialect(version),
                found.name(),
                found.version(),
                found.description(),
                url.of("/a2a/" + targetProject.projectKey() + "/" + URLEncoder.encode(agent, StandardCharsets.UTF_8))
                        .toString(),
                agents.skills(caller, targetProject, found)));
        return HttpResponse.ok(card)
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "private, max-age=60")
                .header(HttpHeaders.ETAG, "\"" + Sha256.hex(new String(card, StandardCharsets.UTF_8)) + "\"")
                .header(HttpHeaders.VARY, A2aVersion.HEADER);
    }

    private static A2aVersion dialect(@Nullable String version) {
        try {
            return A2aVersion.of(version);
        } catch (A2aException e) {
            throw ApiException.badRequest("unknown_version", e.failure().message());
        }
    }
}
