package dev.parley.channels.plugin;

import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Rights;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;

/** Factory of the bot handles of plug-in channels. */
public record PluginBots(BotTokens tokens, Rights rights, ContentReader content, MeterRegistry registry) {
    ChannelBot bot(BotConfig config, Intake intake) {
        return new PluginBot(config, intake, this);
    }
}
