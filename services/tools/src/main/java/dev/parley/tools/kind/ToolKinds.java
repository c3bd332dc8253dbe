package dev.parley.tools.kind;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of tools that this process carries out. */
public final class ToolKinds implements AutoCloseable {
    /** Other names that definitions may use. */
    private static final Map<String, String> ALIASES =
            Map.of("code", "javascript", "mcp", "mcp_server", "http", "rest");

    private final Map<String, ToolKind> byName;

    public ToolKinds(Collection<? extends ToolKind> kinds) {
        byName = kinds.stream().collect(Collectors.toUnmodifiableMap(ToolKind::name, Function.identity()));
    }

    /** The kind of this name, or of an alias; empty where this process has none. */
    public Optional<ToolKind> find(String name) {
        return Optional.ofNullable(byName.get(ALIASES.getOrDefault(name, name)));
    }

    /** Ends what they run. */
    @Override
    public void close() {
        byName.values().forEach(ToolKind::close);
    }
}
