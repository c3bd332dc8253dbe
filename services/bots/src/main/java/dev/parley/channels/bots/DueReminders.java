package dev.parley.channels.bots;

import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Rights.Verdict;
import dev.parley.domain.Ids;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.DueReminder;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand.RefuseReminder;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.platform.config.bot.BotConfig;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends the reminders that are due in chats, with the rights that their people have at that moment; one that may not be
 * sent is recorded with the reason. Both are commands whose ids derive from the reminder and its time, so that a
 * repetition has no effect.
 */
record DueReminders(DurableCommands commands, UUID host, BotRegistry bots, BotRights rights, Chats chats) {
    /**
     * Returns when the reminder's turn, or the reason against it, is durable.
     *
     * @param reply with the reminder
     * @throws UnavailableException when it may not be; retry
     */
    void send(Reply reply) throws UnavailableException, InterruptedException {
        DueReminder reminder = Objects.requireNonNull(reply.reminder(), "a reply with a reminder");
        Optional<BotConfig> bot = bots.find(reply.to().bot())
                .filter(found -> found.project().equals(reply.key().project()));
        if (bot.isEmpty()) {
            refuse(reply, reminder, "the bot was removed");
            return;
        }
        Verdict verdict = rights.decide(bot.get(), reminder.user(), Capability.SESSION_SEND);
        if (verdict.allows()) {
            submit(reply, reminder, bot.get(), verdict);
        } else {
            refuse(reply, reminder, reason(verdict.decision()));
        }
    }

    private void submit(Reply reply, DueReminder reminder, BotConfig bot, Verdict verdict)
            throws UnavailableException, InterruptedException {
        UUID account = verdict.sender().account();
        @Nullable String user = account == null ? reminder.user() : account.toString();
        var address = chats.session(new ConversationAddress(
                bot.name(), reply.to().chat(), reply.to().topic()));
        CommandMeta meta = meta(reminder.turnId(reply.key()), bot.name(), user).toExisting();
        commands.submit(reply.key(), reminder.turn(meta, reply.text(), bot.kind(), address.channelId(), reply.to()))
                .close();
    }

    private void refuse(Reply reply, DueReminder reminder, String reason)
            throws UnavailableException, InterruptedException {
        UUID id = Ids.of("reminder refused", reply.key(), reminder.id(), reminder.due());
        CommandMeta meta = meta(id, reply.to().bot(), reminder.user());
        commands.submit(reply.key(), new RefuseReminder(meta, reminder.id(), reminder.due(), reason))
                .close();
    }

    private CommandMeta meta(UUID id, String bot, @Nullable String user) {
        return commands.meta(id, host, Actor.bot(bot), user, null);
    }

    private static String reason(Decision decision) {
        return switch (decision) {
            case STRANGER -> "the person is not admitted to the bot any more";
            case UNLINKED -> "the person has no linked account any more";
            case FORBIDDEN -> "the person may not send messages any more";
            case OUTSIDE -> "the person is not a member of the project any more";
            case ARCHIVED -> "the project is archived";
            case ALLOWED -> "";
        };
    }
}
