package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.turn.Place;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Banks that move to another project with its sessions: people, sessions and turns have the names in them that they have there. */
public final class BankMove {
    private final Place place;

    public BankMove(Place place) {
        this.place = place;
    }

    /** The bank there: the same agent's, person's and branch. */
    public BankRef bank(BankRef old) {
        return new BankRef(
                place.host(),
                old.project() == null ? null : place.to(),
                old.agent(),
                old.user() == null ? null : place.user().apply(old.user()),
                old.branch());
    }

    /** The event there. */
    public MemoryEvent event(MemoryEvent old) {
        MemoryMeta was = old.meta();
        String by = was.by() == null ? null : place.user().apply(was.by());
        var meta = new MemoryMeta(bank(was.bank()), was.seq(), was.at(), was.commandId(), by);
        return switch (old) {
            case DocumentRetained e -> new DocumentRetained(meta, document(e.document()));
            case UnitLearned e -> new UnitLearned(meta, unit(e.unit()), e.mentions(), e.links(), e.reason(), e.maker());
            case Reflected e -> e.asked(meta, session(e.session()));
            default -> old.in(meta);
        };
    }

    private Document document(Document old) {
        return new Document(
                old.id(),
                session(old.session()),
                turn(old.turnId()),
                old.turnSeq(),
                old.contentHash(),
                old.sayings(),
                old.context(),
                old.tags(),
                old.mentionedAt(),
                old.chunks(),
                old.forgetAt());
    }

    private Unit unit(Unit old) {
        Provenance from = old.provenance();
        return from == null
                ? old
                : old.foundIn(new Provenance(
                        session(from.session()),
                        turn(from.turnId()),
                        from.chunk(),
                        from.saying(),
                        from.from(),
                        from.to(),
                        from.extractor(),
                        from.prompt(),
                        from.model()));
    }

    private @Nullable RecordKey session(@Nullable RecordKey old) {
        return old == null ? null : place.key(old);
    }

    private @Nullable UUID turn(@Nullable UUID old) {
        return old == null ? null : place.turn().apply(old);
    }
}
