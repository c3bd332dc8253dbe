package dev.parley.channels.bots;

import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.plugin.BotView;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.plugin.PluginFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks platforms about bots. */
public final class BotChecks {
    private BotChecks() {}

    /**
     * The findings of the platform about a bot, whose token its check reads; for kinds without a platform, whether its
     * secret can be read, and what the channel finds.
     *
     * @param plugins folder of plug-ins, or null
     */
    public static List<Finding> check(BotConfig bot, Secrets secrets, @Nullable Path plugins)
            throws InterruptedException {
        if (!bot.isOfPlugin() && BotKinds.of(bot.kind()).isPlatform()) {
            return checkChannel(bot, secrets, plugins);
        }
        var findings = new Findings();
        if (bot.token().isEmpty()
                || findings.secret("secret", () -> secrets.get(bot.token())).isPresent()) {
            List<Finding> found = checkChannel(bot, secrets, plugins);
            found.forEach(finding -> findings.add(finding.isFine(), finding.text()));
            if (found.isEmpty()) {
                findings.fine("no platform check for bots of the kind " + bot.kind());
            }
        }
        return findings.list();
    }

    private static List<Finding> checkChannel(BotConfig bot, Secrets secrets, @Nullable Path plugins)
            throws InterruptedException {
        try (PluginFolder<ChannelPlugin> folder =
                PluginFolder.load(bot.isOfPlugin() ? plugins : null, ChannelPlugin.class)) {
            Optional<ChannelPlugin> channel = Stream.concat(
                            BotKinds.CHANNELS.stream(), folder.offers().stream().map(PluginFolder.Offer::instance))
                    .filter(plugin -> plugin.kind().equals(bot.kind()))
                    .findFirst();
            return channel.isEmpty()
                    ? List.of()
                    : channel.get().check(new BotView(bot, secrets::get, AddressGuard.ofOperators()));
        } catch (RuntimeException | LinkageError e) {
            return List.of(new Finding(false, "its plug-in has a fault: " + e));
        }
    }
}
