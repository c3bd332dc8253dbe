package dev.parley.tools.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.kind.ToolKind;
import java.util.Optional;

/**
 * Tools that are classes of plug-ins: {@code {"class": "org.example.Weather"}}. A missing plug-in fails the call, not
 * the definition: another instance may have it.
 */
public final class JavaKind implements ToolKind {
    private final Plugins plugins;
    private final PowerGrants powers;

    public JavaKind(Plugins plugins, PowerGrants powers) {
        this.plugins = plugins;
        this.powers = powers;
    }

    @Override
    public String name() {
        return "java";
    }

    @Override
    public Runner runner(JsonNode implementation, CatalogueScope scope) {
        powers.refusal(Power.of(Kind.PLUGIN_TOOLS), scope).ifPresent(refusal -> {
            throw new IllegalArgumentException(refusal);
        });
        String type = DefinitionFields.of(implementation, "class").text("class");
        if (!type.matches("([\\p{L}_$][\\p{L}\\p{N}_$]*\\.)*[\\p{L}_$][\\p{L}\\p{N}_$]*")) {
            throw new IllegalArgumentException("class must be the fully qualified name of a class");
        }
        return (call, arguments) -> {
            Optional<Tool> tool = plugins.ofClass(type);
            return tool.isEmpty()
                    ? new ToolOutput.Failed("no plug-in here has the tool " + type)
                    : run(tool.get(), call, arguments);
        };
    }

    /** Runs a tool. Linkage errors of a plug-in appear at first use and fail only this call. */
    private static ToolOutput run(Tool tool, ToolCallContext call, JsonNode arguments) throws Exception {
        try {
            return tool.run(call, arguments);
        } catch (LinkageError | StackOverflowError | AssertionError e) {
            throw new IllegalStateException("the plug-in is broken: " + e, e);
        }
    }
}
