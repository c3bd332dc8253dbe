package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CommandMeta;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a bank is asked to do. */
public sealed interface MemoryCommand extends MemoryInput {
    CommandMeta meta();

    BankRef bank();

    /**
     * Remember a document. One with the same id takes the place of the earlier one; what is the same in both is not read again.
     *
     * @param session where it was said, or null
     * @param turnId the turn that it is, or null
     * @param turnSeq number of that turn in its session, or null
     * @param context what it is about, for whoever reads it; or null
     * @param mentionedAt when it was said
     * @param reader whose model finds the facts in it; null for that of the bank, which may have none: then rules do
     * @param forgetAt when it is forgotten again, or null for never
     */
    record Retain(
            CommandMeta meta,
            BankRef bank,
            UUID docId,
            @Nullable RecordKey session,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            List<Saying> sayings,
            @Nullable String context,
            List<String> tags,
            Instant mentionedAt,
            @Nullable Agent reader,
            @Nullable Instant forgetAt)
            implements MemoryCommand {
        public Retain {
            sayings = List.copyOf(sayings);
            tags = List.copyOf(tags);
        }

        /** One that is kept until somebody has it forgotten. */
        public Retain(
                CommandMeta meta,
                BankRef bank,
                UUID docId,
                @Nullable RecordKey session,
                @Nullable UUID turnId,
                @Nullable Long turnSeq,
                List<Saying> sayings,
                @Nullable String context,
                List<String> tags,
                Instant mentionedAt,
                @Nullable Agent reader) {
            this(meta, bank, docId, session, turnId, turnSeq, sayings, context, tags, mentionedAt, reader, null);
        }
    }

    /** Be like this from now on; without a profile, be there. */
    record ChangeBank(
            CommandMeta meta, BankRef bank, @Nullable BankProfile profile) implements MemoryCommand {}

    /** Heed this rule from now on. */
    record SetDirective(CommandMeta meta, BankRef bank, Directive directive) implements MemoryCommand {}

    /** Do not heed this rule any more. */
    record RemoveDirective(CommandMeta meta, BankRef bank, UUID directiveId) implements MemoryCommand {}

    /**
     * Think about a question, and answer it from what is remembered.
     *
     * @param asker who asks and what for, in words for a model; or null
     * @param session where it is asked, or null
     * @param tags of which what the answer rests on has one; empty for any
     * @param types of units that it rests on; empty for all
     * @param maxTokens about how long the answer may be: 50 to 4,000
     * @param reader whose model answers; null for that of the bank, which may have none: then rules answer
     */
    record Reflect(
            CommandMeta meta,
            BankRef bank,
            String question,
            @Nullable String asker,
            @Nullable RecordKey session,
            List<String> tags,
            List<FactType> types,
            int maxTokens,
            @Nullable Agent reader)
            implements MemoryCommand {
        /** Tokens of the usual answer. */
        public static final int USUAL_TOKENS = 1_000;

        public Reflect {
            tags = List.copyOf(tags);
            types = List.copyOf(types);
        }
    }

    /** Always have an answer to this question from now on. */
    record SetMentalModel(CommandMeta meta, BankRef bank, MentalModel model) implements MemoryCommand {}

    /** Have no answer to this question any more. */
    record RemoveMentalModel(CommandMeta meta, BankRef bank, UUID modelId) implements MemoryCommand {}

    /** Hold this unit to be true no more; it stays known that it was. */
    record RetireUnit(CommandMeta meta, BankRef bank, UUID unitId, String reason) implements MemoryCommand {}

    /**
     * Be searched by vectors of this generation as soon as everything has one. The bank is asked meanwhile as before; the
     * generation that it has is kept then.
     *
     * @param generation name of the model that makes them
     */
    record Reembed(CommandMeta meta, BankRef bank, String generation) implements MemoryCommand {}

    /** Keep no vectors but those of the generation that is searched: what is being made, or was kept, is no more. */
    record DropGeneration(CommandMeta meta, BankRef bank) implements MemoryCommand {}

    /** Hold no more than this from now on, and ask models no more. What it holds already stays. */
    record LimitBank(CommandMeta meta, BankRef bank, Allowance allowance) implements MemoryCommand {}

    /**
     * Make a bank of what this one knew at a moment, by its events: nothing is read or embedded anew. What is erased in this one is
     * erased in its branches.
     *
     * @param name of the branch
     * @param at what it knew at this moment, or null for now
     * @param number what it knew with the event of this number, or null for the newest
     */
    record Branch(
            CommandMeta meta,
            BankRef bank,
            String name,
            @Nullable Instant at,
            @Nullable Long number) implements MemoryCommand {}

    /**
     * Take in what another bank knew: banks give this to their branches, and an import of a project to banks that know nothing yet.
     *
     * @param events of the other one, in their order, with the names that sessions, turns and people have here
     * @param upTo number of the last of its events that were looked at
     * @param whole whether these are the last ones
     */
    record Adopt(CommandMeta meta, BankRef bank, List<MemoryEvent> events, long upTo, boolean whole)
            implements MemoryCommand {
        public Adopt {
            events = List.copyOf(events);
        }
    }

    /**
     * Erase something, and what follows from it alone.
     *
     * @param what which kind of thing
     * @param id of the unit, document or turn; null for the whole bank and for a session
     * @param session for what was said in a session until the command was given
     */
    record Forget(
            CommandMeta meta,
            BankRef bank,
            What what,
            @Nullable UUID id,
            @Nullable RecordKey session) implements MemoryCommand {

        /** What is to be erased. */
        public enum What {
            UNIT,
            DOCUMENT,
            TURN,
            SESSION,
            BANK
        }
    }
}
