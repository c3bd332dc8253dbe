package dev.parley.channels.plugin;

import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Placeholder for a channel that is not available. */
record MissingChannel(String kind, String reason) implements ChannelPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MissingChannel.class);

    @Override
    public Connection connect(ChannelBot bot) {
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("reason", reason)
                .log("the bot cannot work");
        return new BrokenConnection(reason);
    }
}
