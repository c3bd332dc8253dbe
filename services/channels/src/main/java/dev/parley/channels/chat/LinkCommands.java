package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.AccountLinks.Linked;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.platform.config.bot.BotConfig;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The commands {@code /link} and {@code /unlink}, which are open to everybody. */
record LinkCommands(
        BotConfig bot,
        Intake intake,
        ChatState chatState,
        AccountLinks links,
        Function<@Nullable String, BotTexts> texts) {
    private static final String LINK = "link";
    private static final String UNLINK = "unlink";

    /**
     * Carries out the commands.
     *
     * @param answers whether the bot is addressed, and answers
     * @return whether the message was one of them
     */
    boolean handle(ChatMessage message, String reference, boolean answers)
            throws UnavailableException, InterruptedException {
        boolean ours = LINK.equals(message.command()) || (answers && UNLINK.equals(message.command()));
        if (!ours || message.bot()) {
            return false;
        }
        if (!message.edited()) {
            BotTexts words = texts.apply(message.language());
            String text = LINK.equals(message.command()) ? link(message, reference, words) : unlink(message, words);
            if (answers) {
                intake.reply(message.address(), reference, text, List.of());
            }
        }
        return true;
    }

    private String unlink(ChatMessage message, BotTexts words) {
        return words.format(links.unlink(bot.name(), message.author().id()) ? "unlinked" : "not-linked");
    }

    private String link(ChatMessage message, String reference, BotTexts words)
            throws UnavailableException, InterruptedException {
        String code = message.text().strip();
        if (code.isEmpty() || code.length() > 32) {
            return words.format("link-how");
        }
        if (!message.privately()) {
            links.invalidate(bot.name(), message.author(), code);
            return words.format("link-group");
        }
        return switch (links.link(bot.name(), message.author(), code)) {
            case Linked.Yes yes -> {
                startOwnSession(message.address(), message.author().as(yes.account()), reference);
                yield words.format("linked", yes.name());
            }
            case Linked.WrongCode _ -> words.format("link-wrong");
            case Linked.TooOften _ -> words.format("link-often");
        };
    }

    /**
     * A session keeps its owner. So where the chat has one that is not the account's, it continues under another
     * session key: the linked user cannot read earlier messages of others.
     */
    private void startOwnSession(ConversationAddress address, Sender sender, String reference)
            throws UnavailableException, InterruptedException {
        if (!hasSession(address, sender, reference + " own", true)
                && hasSession(address, sender, reference + " any", false)) {
            String another = address.chat() + "~" + UUID.randomUUID().toString().substring(0, 8);
            chatState.moveChat(address.bot(), another, address.chat());
        }
    }

    /** Whether the chat has a session, determined with a command that changes nothing. */
    private boolean hasSession(ConversationAddress address, Sender sender, String reference, boolean limited)
            throws UnavailableException, InterruptedException {
        var outcome = intake.execute(
                address,
                bot.kind(),
                reference,
                sender,
                meta -> new ChangeSession(
                        limited ? meta.toOwn() : meta,
                        Change.RENAME,
                        null,
                        null,
                        null,
                        bot.kind(),
                        address.channelId()));
        return outcome.isPresent() && !(outcome.get() instanceof Outcome.Refused);
    }
}
