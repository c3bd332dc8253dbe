package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.ProviderOptions;
import dev.parley.platform.config.ProviderConfig;
import java.util.Set;

/**
 * The options of an Anthropic provider.
 *
 * @param cache whether prompt caching is requested
 * @param binding whether models that bind their thinking are configured to drop thinking blocks that no longer
 *     match the conversation
 */
record AnthropicOptions(boolean cache, boolean binding) {
    /** @throws IllegalArgumentException naming the valid options or values */
    static AnthropicOptions of(ProviderConfig config) {
        var options = ProviderOptions.of(config, Set.of("promptCache", "thinkingBinding"));
        return new AnthropicOptions(
                options.either("promptCache", "on", "off", true), options.either("thinkingBinding", "on", "off", true));
    }

    /** Whether requests to this model control mismatched thinking blocks, which is a beta feature. */
    boolean bind(String model) {
        return binding && ModelCapabilities.of(model).binds();
    }
}
