package dev.parley.channels.plugin;

import dev.parley.channels.chat.ChatCommands;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.MenuCommand;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.http.AddressGuard;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A bot of the settings or of a project, as its channel sees it. */
public sealed class BotView implements ConfiguredBot permits PluginBot {
    private static final String TOKEN = "token";
    private static final String WEBHOOK_SECRET = "webhookSecret";

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
    public boolean drafts() {
        return config.drafts();
    }

    @Override
    public boolean richMessages() {
        return config.richMessages();
    }

    @Override
    public boolean streams() {
        return config.streams();
    }

    @Override
    public Groups groups() {
        return config.groups();
    }

    @Override
    public boolean listens() {
        return config.listens() && config.groups() != Groups.OFF;
    }

    @Override
    public Set<String> allowedUsers() {
        return config.allowedUsers();
    }

    @Override
    public Optional<URI> publicUrl() {
        return Optional.ofNullable(config.webhook());
    }

    @Override
    public boolean accepts(String client) {
        return config.webhookFrom().isEmpty()
                || config.webhookFrom().stream().anyMatch(network -> network.has(InetAddress.ofLiteral(client)));
    }

    @Override
    public List<MenuCommand> commands() {
        return ChatCommands.menu();
    }

    @Override
    public String token() {
        if (config.token().isEmpty()) {
            throw new MissingSecretException("the bot '" + config.name() + "' has no token");
        }
        return resolve(config.token());
    }

    @Override
    public String secret(String setting) {
        return resolve(reference(setting)
                .orElseThrow(() ->
                        new MissingSecretException("the setting '%s' of the bot '%s' is not a reference to a secret"
                                .formatted(setting, config.name()))));
    }

    @Override
    public Optional<String> reference(String setting) {
        String configured = config.secrets().get(setting);
        return configured != null
                ? Optional.of(configured)
                : switch (setting) {
                    case TOKEN -> Optional.of(config.token()).filter(token -> !token.isEmpty());
                    case WEBHOOK_SECRET -> Optional.ofNullable(config.webhookSecret());
                    default -> Optional.empty();
                };
    }

    private String resolve(String reference) {
        try {
            return tokens.get(reference);
        } catch (Secrets.MissingException e) {
            throw new MissingSecretException(String.valueOf(e.getMessage()), e);
        }
    }
}
