package dev.parley.channels.plugin;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.content.Block;
import dev.parley.platform.config.BotConfig;

/** The chats of a plug-in's bot: each event is checked as messages are, and then handled as one of a platform. */
final class PluginChats implements BotChats {
    private final BotConfig bot;
    private final ChatHandler handler;
    private final ChatState state;
    private final Buttons buttons;

    PluginChats(BotConfig bot, ChatServices services, Intake intake, ChatSide side) {
        var platform = new Side(side, new Downloads(side::bytes, services.blobs()));
        this.bot = bot;
        this.handler = new ChatHandler(bot, services, intake, platform);
        this.state = services.chatState();
        this.buttons = services.buttons(bot);
    }

    private record Side(ChatSide side, Downloads downloads) implements ChatHandler.Platform {
        @Override
        public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
            return downloads.file(attachment);
        }

        @Override
        public boolean isPartial(ChatMessage message) {
            return side.isPartial(message);
        }

        @Override
        public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
            side.acknowledge(press, notice);
        }

        @Override
        public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
            return side.replaceMessage(press, text);
        }

        @Override
        public String slash() {
            return side.slash();
        }
    }

    @Override
    public Buttons buttons() {
        return buttons;
    }

    @Override
    public Taken handle(Event event, String reference, String revision) throws InterruptedException {
        return PluginBot.result(() -> {
            handler.requireReady();
            handler.count(event, kind(event));
            switch (event) {
                case ChatMessage message -> {
                    PluginBot.check(bot, message.address(), reference);
                    ChatMessage known = message.withAuthor(PluginBot.normalizeSender(message.author()));
                    handler.handleOrSkip(reference, () -> handler.handle(known, reference, revision));
                }
                case ButtonPress press -> {
                    PluginBot.check(bot, press.address(), reference);
                    var known = new ButtonPress(
                            press.address(),
                            PluginBot.normalizeSender(press.author()),
                            press.query(),
                            press.data(),
                            press.message(),
                            press.language());
                    handler.handleOrSkip(reference, () -> handler.handle(known, reference));
                }
                case Event.Membership change -> {
                    PluginBot.check(bot, change.address(), reference);
                    state.setWritable(change.address(), change.canWrite());
                }
                case Event.Migrated moved -> state.moveChat(bot.name(), moved.from(), moved.to());
                case Event.Other _ -> {
                    // counted
                }
            }
            return new Taken.Safe();
        });
    }

    /** For the metric. */
    private static String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "edit" : "message";
            case ButtonPress _ -> "button";
            case Event.Membership _ -> "membership";
            case Event.Migrated _ -> "migration";
            case Event.Other other -> other.kind();
        };
    }
}
