package dev.parley.server.workflow;

import dev.parley.platform.config.ContainersConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolWorker;
import dev.parley.tools.command.ContainerTool;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.work.CallException;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** {@code run: container}: runs a container of an image that the operator allows. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = ToolWorker.class)
final class ContainerRun extends CommandRun {
    private final @Nullable ContainersConfig config;

    ContainerRun(ToolWorker worker, ParleyConfig config) {
        super("container", worker, config.powers());
        this.config = config.workflows().containers();
    }

    @Override
    Power power() {
        return Power.of(Kind.CONTAINERS);
    }

    @Override
    Tool tool() throws CallException {
        return new ContainerTool(requireConfig());
    }

    private ContainersConfig requireConfig() throws CallException {
        if (config == null) {
            throw CallException.configuration(
                    "this server runs no containers: parley.yml does not say workflows: { containers: { images: [...] } }");
        }
        return config;
    }

    @Override
    Json settings(Json with) throws CallException {
        String image = with.get("image").display();
        if (!requireConfig().allows(image)) {
            throw CallException.configuration(
                    "the image '" + image + "' is none of workflows.containers.images in parley.yml");
        }
        return Json.of("image", Json.of(image))
                .with(
                        "pull",
                        Json.of(
                                switch (with.get("pullPolicy").display()) {
                                    case "always" -> "always";
                                    case "never" -> "never";
                                    default -> "missing";
                                }));
    }

    @Override
    void checkVariable(String name, String value) throws CallException {
        if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw CallException.configuration("the variable '" + name + "' of a container has one line");
        }
    }

    @Override
    String displayName() {
        return "container";
    }
}
