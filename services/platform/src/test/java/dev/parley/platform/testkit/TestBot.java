package dev.parley.platform.testkit;

import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.MenuCommand;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.platform.http.AddressGuard;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A bot as an operator configures it, for channels without Parley. It has two commands, and everybody may post to it.
 *
 * @param references of its secrets, by setting; {@code token} is one
 * @param secrets resolves them
 */
public record TestBot(
        String name,
        URI api,
        Groups groups,
        Map<String, String> references,
        Map<String, String> settings,
        UnaryOperator<String> secrets)
        implements ConfiguredBot {
    /** A bot without further settings. */
    public TestBot(String name, URI api, Groups groups, Map<String, String> references, UnaryOperator<String> secrets) {
        this(name, api, groups, references, Map.of(), secrets);
    }

    /** A bot without groups that has this token. */
    public TestBot(String name, URI api, String token) {
        this(name, api, Groups.OFF, Map.of("token", "env:TOKEN"), _ -> token);
    }

    @Override
    public AddressGuard guard() {
        return AddressGuard.ofOperators();
    }

    @Override
    public boolean streams() {
        return false;
    }

    @Override
    public Set<String> allowedUsers() {
        return Set.of();
    }

    @Override
    public Optional<URI> publicUrl() {
        return Optional.empty();
    }

    @Override
    public boolean accepts(String client) {
        return true;
    }

    @Override
    public List<MenuCommand> commands() {
        return List.of(
                new MenuCommand("help", Map.of("", "What I can do", "de", "Was ich kann"), true),
                new MenuCommand("agents", Map.of("", "Who answers")));
    }

    @Override
    public String token() {
        return secret("token");
    }

    @Override
    public String secret(String setting) {
        return secrets.apply(reference(setting).orElseThrow(() -> new MissingSecretException(setting)));
    }

    @Override
    public Optional<String> reference(String setting) {
        return Optional.ofNullable(references.get(setting));
    }
}
