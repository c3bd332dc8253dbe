package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Opinions about responses, which are those about their turns. OpenAI's protocol has no such route. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI")
class FeedbackController {
    private final ResponseStore store;
    private final TurnService turns;

    FeedbackController(ResponseStore store, TurnService turns) {
        this.store = store;
        this.turns = turns;
    }

    /**
     * Give an opinion about a response. The opinion is good or bad, with an optional text, and replaces the caller's
     * earlier one about the turn of the response.
     *
     * @return The opinion is stored.
     */
    @Authenticated
    @Post(uris = {"/v1/responses/{id}/feedback", "/v1/projects/{project}/responses/{id}/feedback"})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid opinion or text.")
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> give(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller) {
        StoredResponse row = find(request, caller, project, id);
        ObjectNode read = ProtocolJson.read(body);
        String opinion = read.path("opinion").asText(null);
        turns.giveFeedback(
                caller, row.key(), row.turnId(), opinion, read.path("text").asText(null));
        return answer(row, opinion);
    }

    /**
     * Withdraw an opinion about a response. Takes back the caller's opinion about the turn of the response.
     *
     * @return The opinion is taken back.
     */
    @Authenticated
    @Delete(uris = {"/v1/responses/{id}/feedback", "/v1/projects/{project}/responses/{id}/feedback"})
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> withdraw(
            @Nullable @PathVariable String project, @PathVariable String id, HttpRequest<?> request, Caller caller) {
        StoredResponse row = find(request, caller, project, id);
        turns.withdrawFeedback(caller, row.key(), row.turnId());
        return answer(row, null);
    }

    private static HttpResponse<byte[]> answer(StoredResponse row, @Nullable String opinion) {
        return ProtocolJson.response(ProtocolJson.object()
                .put("id", row.id().text())
                .put("object", "response.feedback")
                .put("opinion", opinion));
    }

    private StoredResponse find(HttpRequest<?> request, Caller caller, @Nullable String project, String id) {
        var target = RequestContext.project(request, caller, project, Capability.SESSION_READ);
        return ResponseId.parse(id)
                .flatMap(read -> store.find(caller, target, read, Use.READ))
                .orElseThrow(() -> ResponseController.unknown(id));
    }
}
