package dev.parley.channels.plugin;

import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.http.AddressGuard;
import java.net.URI;
import java.util.Map;

/** A bot of the settings or of a project, as its channel sees it. */
public sealed class BotView implements ConfiguredBot permits PluginBot {
    private final BotConfig config;
    private final BotTokens tokens;
    private final AddressGuard guard;

    /** @param guard of addresses in the settings of the bot */
    public BotView(BotConfig config, BotTokens tokens, AddressGuard guard) {
        this.config = config;
        this.tokens = tokens;
        this.guard = guard;
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public Map<String, String> settings() {
        return config.settings() == null ? Map.of() : config.settings();
    }

    @Override
    public URI api() {
        return config.apiUrl();
    }

    @Override
    public AddressGuard guard() {
        return guard;
    }

    @Override
    public boolean streams() {
        return config.streams();
    }

    @Override
    public String token() {
        if (config.token().isEmpty()) {
            throw new IllegalStateException("the bot '" + config.name() + "' has no token");
        }
        return tokens.get(config.token());
    }

    @Override
    public String secret(String setting) {
        String reference = config.secrets().get(setting);
        if (reference == null) {
            throw new IllegalStateException("the setting '%s' of the bot '%s' is not a reference to a secret"
                    .formatted(setting, config.name()));
        }
        return tokens.get(reference);
    }
}
