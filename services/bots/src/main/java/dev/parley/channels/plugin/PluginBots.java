package dev.parley.channels.plugin;

import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.channels.contract.Rights;
import dev.parley.domain.RecordKey;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.PowerGrants;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Factory of the bot handles of channels.
 *
 * @param powers which projects may have their replies sent into the private network
 */
public record PluginBots(
        BotTokens tokens,
        Rights rights,
        ContentReader content,
        ChatServices chats,
        PowerGrants powers,
        MeterRegistry registry) {
    /** The bot as its channel sees it, on any instance. */
    public ChannelBot bot(BotConfig config, Intake intake) {
        return new PluginBot(config, intake, this);
    }

    /** Only projects of the installation's own host have bots. */
    AddressGuard guard(BotConfig config) {
        var project = new CatalogueScope(Caller.DEFAULT_HOST, RecordKey.projectId(config.project()));
        return config.isOperators() ? AddressGuard.ofOperators() : ReplyUrls.guard(powers, project);
    }
}
