package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.UsableAgents;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Routes of models: the agents of a project. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI", description = "Agents for programs that speak OpenAI's protocol.")
class ModelController {
    private final UsableAgents agents;

    ModelController(UsableAgents agents) {
        this.agents = agents;
    }

    /**
     * List models. The agents that users of the project may talk to, as models.
     *
     * @return The models.
     */
    @Authenticated
    @Get(uris = {"/v1/models", "/v1/projects/{project}/models"})
    HttpResponse<byte[]> list(@Nullable @PathVariable String project, HttpRequest<?> request, Caller caller) {
        Project targetProject = RequestContext.project(request, caller, project, Capability.PROJECT_READ);
        ObjectNode list = ProtocolJson.object().put("object", "list");
        var data = list.putArray("data");
        agents.offeredAgents(caller, targetProject).forEach(agent -> data.add(model(caller, targetProject, agent)));
        return ProtocolJson.response(list);
    }

    /**
     * Get a model. An agent that users of the project may talk to, as a model.
     *
     * @return The model.
     */
    @Authenticated
    @Get(uris = {"/v1/models/{model}", "/v1/projects/{project}/models/{model}"})
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    HttpResponse<byte[]> show(
            @Nullable @PathVariable String project, @PathVariable String model, HttpRequest<?> request, Caller caller) {
        Project targetProject = RequestContext.project(request, caller, project, Capability.PROJECT_READ);
        return ProtocolJson.response(model(
                caller, targetProject, agents.find(caller, targetProject, model).orElseThrow(() -> unknown(model))));
    }

    static ProtocolException unknown(String name) {
        return ProtocolException.notFound(
                "model_not_found",
                "model",
                "The model '%s' does not exist: a model is an agent, and GET /v1/models lists them.".formatted(name));
    }

    private ObjectNode model(Caller caller, Project project, Agent agent) {
        ObjectNode model = ProtocolJson.object()
                .put("id", agent.name())
                .put("object", "model")
                .put(
                        "created",
                        agents.publishedAt(caller, project, agent)
                                .orElse(Instant.EPOCH)
                                .getEpochSecond())
                .put("owned_by", agents.owner(caller, project, agent.name()));
        return agent.description().isEmpty() ? model : model.put("description", agent.description());
    }
}
