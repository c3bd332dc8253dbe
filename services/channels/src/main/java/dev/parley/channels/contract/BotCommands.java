package dev.parley.channels.contract;

import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Commands of users, as commands to a session. */
public final class BotCommands {
    private BotCommands() {}

    /** The capability that a command requires. */
    public static Capability needs(Command command) {
        return command == Command.FORGET ? Capability.MEMORY_WRITE : Capability.SESSION_SEND;
    }

    public static Function<CommandMeta, TurnCommand> sessionCommand(Command command, Sender sender) {
        return switch (command) {
            case STOP -> stop(null, sender);
            case NEW -> meta -> new ResetContext(meta, Reset.NEW, null);
            case UNDO -> meta -> new ResetContext(meta, Reset.UNDO, null);
            case FORGET -> meta -> new ResetContext(meta, Reset.FORGET, null);
        };
    }

    /** Cancels a turn; null for the active one. */
    public static Function<CommandMeta, TurnCommand> stop(@Nullable UUID turn, Sender sender) {
        return meta -> new CancelTurn(meta, turn, "stopped by " + sender.name());
    }

    /** The refusal of a command; {@code new} without a session has no effect and is not refused. */
    public static Optional<Outcome.Refused> refusal(Command command, Optional<Outcome> outcome) {
        return outcome.filter(Outcome.Refused.class::isInstance)
                .map(Outcome.Refused.class::cast)
                .filter(refused -> command != Command.NEW || !refused.code().equals("unknown_session"));
    }
}
