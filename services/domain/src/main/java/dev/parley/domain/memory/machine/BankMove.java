package dev.parley.domain.memory.machine;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Provenance;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.protocol.ImportTarget;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Relocation of banks to another project with its sessions: maps users, agents, sessions and turns to those of the
 * target.
 */
public final class BankMove {
    private final ImportTarget target;
    private final Function<String, Optional<Agent>> agents;

    /** @param agents of the target project, by name */
    public BankMove(ImportTarget target, Function<String, Optional<Agent>> agents) {
        this.target = target;
        this.agents = agents;
    }

    /** The target bank: of the same user and agent. Empty if the target has no such agent. */
    public Optional<BankRef> bank(BankRef old) {
        String user = target.person(old.user());
        String name = old.agent();
        if (name == null) {
            return Optional.of(new BankRef(target.host(), target.to(), null, null, user, old.branch()));
        }
        Optional<UUID> id = agents.apply(name).flatMap(agent -> Optional.ofNullable(agent.id()));
        boolean isAgentMissing = old.agentId() != null && id.isEmpty();
        return isAgentMissing
                ? Optional.empty()
                : Optional.of(new BankRef(target.host(), target.to(), name, id.orElse(null), user, old.branch()));
    }

    /** An event as one of the target bank. */
    public MemoryEvent event(MemoryEvent old, BankRef bank) {
        MemoryMeta oldMeta = old.meta();
        var meta = new MemoryMeta(bank, oldMeta.seq(), oldMeta.at(), oldMeta.commandId(), target.person(oldMeta.by()));
        return switch (old) {
            case DocumentRetained e -> new DocumentRetained(meta, document(e.document()));
            case UnitLearned e -> new UnitLearned(meta, unit(e.unit()), e.mentions(), e.links(), e.reason(), e.maker());
            case Reflected e ->
                e.with().meta(meta).session(session(e.session())).build();
            default -> old.in(meta);
        };
    }

    private Document document(Document old) {
        return old.with()
                .session(session(old.session()))
                .turnId(turn(old.turnId()))
                .build();
    }

    private Unit unit(Unit old) {
        Provenance from = old.provenance();
        return from == null
                ? old
                : old.withProvenance(from.with()
                        .session(session(from.session()))
                        .turnId(turn(from.turnId()))
                        .build());
    }

    private @Nullable RecordKey session(@Nullable RecordKey old) {
        return old == null ? null : target.key(old);
    }

    private @Nullable UUID turn(@Nullable UUID old) {
        return old == null ? null : target.turn().apply(old);
    }
}
