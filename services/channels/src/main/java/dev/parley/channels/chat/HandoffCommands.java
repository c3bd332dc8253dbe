package dev.parley.channels.chat;

import dev.parley.channels.chat.ChatCommands.CommandReply;
import dev.parley.channels.chat.ChatCommands.Context;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.language.text.Clip;
import dev.parley.platform.config.bot.BotConfig;
import java.util.Optional;

/** The command {@code /human}: asks for an operator, with a reason or without; {@code /human off} does without one again. */
record HandoffCommands(BotConfig bot, Intake intake) {
    /** The name of the command. */
    static final String NAME = "human";

    private static final String OFF = "off";

    Optional<CommandReply> execute(String argument, Context context) throws UnavailableException, InterruptedException {
        boolean returns = argument.equalsIgnoreCase(OFF);
        Handoff.Step step = returns ? Handoff.Step.RETURN : Handoff.Step.ASK;
        String reason = returns ? "" : Clip.start(argument, Handoff.MAX_REASON);
        Optional<Outcome> outcome = intake.execute(
                context.address(),
                bot.kind(),
                context.reference(),
                context.sender(),
                meta -> new ChangeHandoff(meta, step, reason, "", null));
        String text = switch (outcome.orElse(null)) {
            case null -> "late";
            case Outcome.Refused refused ->
                switch (refused.code()) {
                    case "unknown_session" -> "human-first";
                    case "not_yours" -> "human-not-yours";
                    default -> "no-work";
                };
            default -> returns ? "human-off" : "human-asked";
        };
        String detail = outcome.orElse(null) instanceof Outcome.Refused refused ? refused.message() : "";
        return CommandReply.of(context.texts().format(text, detail));
    }
}
