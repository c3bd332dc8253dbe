package dev.parley.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.schema.JsonSchema;
import dev.parley.tools.kind.ToolKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tools that hosts and projects define at run time, each executed by its kind. */
public final class DefinedTools {
    private static final int MAX_READY = 1_000;

    private final DefinitionCatalogue catalogue;
    private final Map<String, ToolKind> kinds;
    private final @Nullable Counter refused;

    /** The most recently called tools with their runners. */
    private final LinkedHashMap<Published, Ready> ready = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param kinds the available kinds; their creator closes them
     * @param meters counts results that violate the response schema, or null
     */
    public DefinedTools(
            DefinitionCatalogue catalogue, Collection<? extends ToolKind> kinds, @Nullable MeterRegistry meters) {
        this.catalogue = catalogue;
        this.kinds = kinds.stream().collect(Collectors.toMap(ToolKind::name, kind -> kind));
        this.refused = meters == null ? null : meters.counter("parley.tool.results.refused");
    }

    /** A tool, and the host or project that has published it. */
    private record Published(DefinedTool tool, CatalogueScope scope) {}

    private record Ready(ToolRegistry.Entry entry, ToolKind.Runner runner) {}

    /**
     * The tool of a call, as its session sees it now; empty if it is disabled or deleted.
     *
     * @throws IllegalArgumentException when the tool cannot be executed, with the reason
     */
    Optional<ToolRegistry.Entry> find(ToolRequest request, RecordKey session) {
        return findTool(request, session)
                .map(tool -> new Published(tool, catalogue.scopeOf(request.host(), session.projectId(), tool)))
                .map(this::ready);
    }

    /** The specification of the tool, without creating a runner. */
    Optional<ToolSpec> spec(ToolRequest request, RecordKey session) {
        return findTool(request, session).map(DefinedTool::spec);
    }

    private Optional<DefinedTool> findTool(ToolRequest request, RecordKey session) {
        return catalogue.in(request.host(), session.projectId()).definedTool(request.name(), request.version());
    }

    private synchronized ToolRegistry.Entry ready(Published tool) {
        Ready cached = ready.get(tool);
        if (cached != null) {
            return cached.entry();
        }
        Ready created = create(tool);
        ready.put(tool, created);
        if (ready.size() > MAX_READY) {
            ready.pollFirstEntry().getValue().runner().close();
        }
        return created.entry();
    }

    private Ready create(Published published) {
        DefinedTool tool = published.tool();
        ToolKind kind = kinds.get(tool.type());
        if (kind == null) {
            throw new IllegalArgumentException("tools of the type " + tool.type() + " are not available here");
        }
        ToolKind.Runner runner = kind.runner(JsonMappers.tree(tool.implementation()), published.scope());
        String schema = tool.responseSchema();
        var entry = new Called(tool, runner, schema == null ? null : JsonSchema.of(schema));
        return new Ready(new ToolRegistry.Entry(entry, tool.spec(), new ArgumentCheck(tool.spec())), runner);
    }

    /** A defined tool with its runner. */
    private final class Called implements Tool {
        private final DefinedTool tool;
        private final ToolKind.Runner runner;
        private final @Nullable JsonSchema response;

        Called(DefinedTool tool, ToolKind.Runner runner, @Nullable JsonSchema response) {
            this.tool = tool;
            this.runner = runner;
            this.response = response;
        }

        @Override
        public ToolSpec spec() {
            return tool.spec();
        }

        @Override
        public ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception {
            ToolOutput output = runner.run(call, arguments);
            List<String> errors =
                    response == null || output instanceof ToolOutput.Failed ? List.of() : response.errors(json(output));
            if (errors.isEmpty()) {
                return output;
            }
            if (refused != null) {
                refused.increment();
            }
            return new ToolOutput.Failed(
                    "the tool's result violates its response schema: " + String.join("; ", errors));
        }

        /** The output as JSON for validation; text that is not valid JSON is a string. */
        private JsonNode json(ToolOutput output) {
            String text = output instanceof ToolOutput.Text result ? result.text() : "";
            try {
                return JsonMappers.shared().readTree(text);
            } catch (JsonProcessingException e) {
                return JsonMappers.shared().getNodeFactory().textNode(text);
            }
        }
    }
}
