/** API keys of model providers, stored encrypted. */
@NullMarked
package dev.parley.control.credentials;

import org.jspecify.annotations.NullMarked;
