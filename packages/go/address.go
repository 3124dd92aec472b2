package lookout

import (
	"fmt"
	"net/url"
	"strings"
)

// checkOptions is what is wrong with an address or a key, or nil. The key is never a part of the message.
func checkOptions(baseURL, apiKey string) *Error {
	if apiKey != "" && strings.TrimSpace(apiKey) == "" {
		return wrong("APIKey", "is blank. Copy the key again, or leave it out", "")
	}
	for _, letter := range strings.TrimSpace(apiKey) {
		if letter < ' ' || letter > '~' {
			return wrong("APIKey", "must be one line of printable ASCII characters. Copy the key again", "")
		}
	}
	const needed = "must be an address such as https://lookout.example.com"
	if strings.TrimSpace(baseURL) == "" {
		return wrong("baseURL", needed+"; it is empty", "")
	}
	address, err := url.Parse(baseURL)
	if err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != "" {
		switch {
		case address.User != nil:
			return wrong("baseURL", "must not hold a name or a password: set Options.APIKey", "")
		case address.RawQuery != "" || address.Fragment != "":
			return wrong("baseURL", "must end with the host or the path", "")
		}
		return nil
	}
	suggestion := ""
	if !strings.Contains(baseURL, "://") {
		suggestion = "https://" + baseURL
		if strings.HasPrefix(baseURL, "localhost") || strings.HasPrefix(baseURL, "127.") || strings.HasPrefix(baseURL, "[::1]") {
			suggestion = "http://" + baseURL
		}
	}
	return wrong("baseURL", fmt.Sprintf("%s, not %q", needed, baseURL), suggestion)
}

func wrong(field, problem, suggestion string) *Error {
	message := field + " " + problem
	if suggestion != "" {
		message += ". Did you mean " + suggestion + "?"
	}
	return &Error{Code: CodeValidation, Message: message, Details: []Detail{{Field: field, Message: problem, Suggestion: suggestion}}}
}
