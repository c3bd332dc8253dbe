package dev.parley.channels.plugin;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Placeholder for the channel of a plug-in that is not loaded. */
record MissingChannel(String kind, String reason) implements Channel {
    private static final Logger LOG = LoggerFactory.getLogger(MissingChannel.class);

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("reason", reason)
                .log("the bot cannot work");
        return new BrokenConnection(reason);
    }
}
