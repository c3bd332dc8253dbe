package dev.parley.agents.model.anthropic;

import java.util.Map;

/**
 * What an operator can switch off for a provider.
 *
 * @param cache whether the provider is asked to keep what it has read
 * @param binding whether models that bind their thinking are told to leave out what does not fit any more
 */
record AnthropicOptions(boolean cache, boolean binding) {
    static AnthropicOptions of(Map<String, String> options) {
        return new AnthropicOptions(
                !"off".equals(options.get("promptCache")), !"off".equals(options.get("thinkingBinding")));
    }

    /** Whether requests to this model say what becomes of thinking that does not fit, which is a beta feature. */
    boolean bind(String model) {
        return binding && Family.of(model).binds();
    }
}
