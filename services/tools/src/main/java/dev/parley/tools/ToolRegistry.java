package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ToolRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tools of a worker, each with the validation of its arguments. */
public final class ToolRegistry {
    private final Map<String, Entry> byName = new TreeMap<>();
    private final @Nullable DefinedTools defined;
    private final boolean withLedger;

    /**
     * @param withLedger whether there is a ledger: without it, only idempotent tools are offered
     * @throws IllegalArgumentException on a duplicate name or an invalid schema
     */
    public ToolRegistry(Collection<? extends Tool> tools, boolean withLedger) {
        this(tools, null, withLedger);
    }

    /**
     * @param defined the tools defined at run time, or null for none
     * @param withLedger whether there is a ledger: without it, only idempotent tools are offered
     * @throws IllegalArgumentException on a duplicate name or an invalid schema
     */
    public ToolRegistry(Collection<? extends Tool> tools, @Nullable DefinedTools defined, boolean withLedger) {
        this.defined = defined;
        this.withLedger = withLedger;
        for (Tool tool : tools) {
            ToolSpec spec = tool.spec();
            if (ToolSpec.OWN.contains(spec.name())) {
                throw new IllegalArgumentException("the name '" + spec.name() + "' is reserved by Parley");
            }
            if (isOffered(spec)) {
                if (byName.put(spec.name(), new Entry(tool, spec, new ArgumentCheck(spec))) != null) {
                    throw new IllegalArgumentException("duplicate tool '" + spec.name() + "'");
                }
            }
        }
    }

    /** A tool, its specification, and the validation of its arguments. */
    record Entry(Tool tool, ToolSpec spec, ArgumentCheck check) {}

    /**
     * The tool of a call.
     *
     * @param session the session of the call
     * @throws IllegalArgumentException when the tool cannot be executed, with the reason
     */
    Optional<Entry> find(ToolRequest request, RecordKey session) {
        return request.version().isEmpty() || defined == null
                ? Optional.ofNullable(byName.get(request.name()))
                : defined.find(request, session).filter(entry -> isOffered(entry.spec()));
    }

    /** Whether a call may run twice. A call of an unknown tool may, as it only results in an error. */
    boolean isRepeatable(ToolRequest request, RecordKey session) {
        Optional<ToolSpec> tool = request.version().isEmpty() || defined == null
                ? Optional.ofNullable(byName.get(request.name())).map(Entry::spec)
                : defined.spec(request, session);
        return tool.map(spec -> spec.effect() == ToolEffect.IDEMPOTENT).orElse(true);
    }

    private boolean isOffered(ToolSpec spec) {
        return withLedger || spec.effect() == ToolEffect.IDEMPOTENT;
    }

    /** The specifications to publish, ordered by name. */
    public List<ToolSpec> specs() {
        return byName.values().stream()
                .map(Entry::spec)
                .filter(spec -> !ToolSpec.HIDDEN.contains(spec.name()))
                .toList();
    }
}
