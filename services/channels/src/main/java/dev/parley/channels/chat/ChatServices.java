package dev.parley.channels.chat;

import dev.parley.channels.contract.AccountLinks;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.DeliveryReports;
import dev.parley.channels.contract.HumanTasks;
import dev.parley.channels.contract.Rights;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.definitions.DefinitionCatalogue;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Services for the adapters of chat platforms. */
public record ChatServices(
        BotTokens secrets,
        ChatState chatState,
        BotAudience people,
        Rights rights,
        AccountLinks links,
        BlobStore blobs,
        DefinitionCatalogue catalogue,
        Supplier<? extends HumanTasks> tasks,
        DeliveryReports reports,
        MeterRegistry registry) {

    /** The current token of a bot. */
    public Supplier<String> token(BotConfig bot) {
        return () -> secrets.get(bot.token());
    }

    /** The buttons of a bot. */
    public Buttons buttons(BotConfig bot) {
        return new Buttons(bot.name(), token(bot));
    }
}
