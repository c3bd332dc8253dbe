package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolDigest;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.collection.BoundedMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Replaces tools in requests by their digests, and restores them: tools are most of a request and repeat, and workers
 * follow the definitions, too.
 */
public final class ToolDigests {
    private static final int MAX_DIGESTS = 10_000;

    private final DefinitionCatalogue catalogue;
    private final Map<ToolSpec, String> digests = Collections.synchronizedMap(new BoundedMap<>(MAX_DIGESTS));

    public ToolDigests(DefinitionCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** The request with digests in place of the tools that equal their definitions. */
    public ModelRequest shorten(ModelRequest request, UUID project) {
        Definitions definitions = catalogue.in(request.host(), project);
        var fullTools = new ArrayList<ToolSpec>();
        var toolDigests = new ArrayList<ToolDigest>();
        for (int position = 0; position < request.tools().size(); position++) {
            ToolSpec tool = request.tools().get(position);
            if (definitions
                    .tool(tool.name(), tool.version())
                    .filter(tool::equals)
                    .isPresent()) {
                toolDigests.add(new ToolDigest(position, tool.name(), tool.version(), digest(tool)));
            } else {
                fullTools.add(tool);
            }
        }
        return request.withTools(fullTools, toolDigests);
    }

    /**
     * The request with all its tools; empty if one of them is unknown or different here.
     *
     * @param project evaluated only for requests with digests
     */
    public Optional<ModelRequest> complete(ModelRequest request, Supplier<UUID> project) {
        if (request.toolDigests().isEmpty()) {
            return Optional.of(request);
        }
        Definitions definitions = catalogue.in(request.host(), project.get());
        List<ToolSpec> tools = new ArrayList<>(request.tools());
        for (ToolDigest toolDigest : request.toolDigests()) {
            var tool = definitions
                    .tool(toolDigest.name(), toolDigest.version())
                    .filter(found -> digest(found).equals(toolDigest.digest()));
            if (tool.isEmpty() || toolDigest.place() < 0 || toolDigest.place() > tools.size()) {
                return Optional.empty();
            }
            tools.add(toolDigest.place(), tool.get());
        }
        return Optional.of(request.withTools(tools, List.of()));
    }

    private String digest(ToolSpec tool) {
        return digests.computeIfAbsent(tool, ToolDigest::digest);
    }
}
