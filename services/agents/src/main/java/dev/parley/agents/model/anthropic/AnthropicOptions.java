package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.ProviderOptions;
import dev.parley.platform.config.ProviderConfig;
import java.util.Set;

/**
 * What an operator can switch off for a provider.
 *
 * @param cache whether the provider is asked to keep what it has read
 * @param binding whether models that bind their thinking are told to leave out what does not fit any more
 */
record AnthropicOptions(boolean cache, boolean binding) {
    /** @throws IllegalArgumentException naming what may be set */
    static AnthropicOptions of(ProviderConfig config) {
        var options = ProviderOptions.of(config, Set.of("promptCache", "thinkingBinding"));
        return new AnthropicOptions(
                options.either("promptCache", "on", "off", true), options.either("thinkingBinding", "on", "off", true));
    }

    /** Whether requests to this model say what becomes of thinking that does not fit, which is a beta feature. */
    boolean bind(String model) {
        return binding && ModelCapabilities.of(model).binds();
    }
}
