package runtime

// This file holds the questions that a script asks of people.

import (
	"context"
	"encoding/json"
	"fmt"
)

// Question is what a suspended run waits for.
type Question struct {
	Seq      int    `json:"seq"` // names it within its run
	Question string `json:"question"`
	// Schema is the JSON Schema that the answer must fit; unset for any.
	Schema json.RawMessage `json:"schema,omitempty"`
	At     Pos             `json:"at"`
}

// answered is the data of EntryAnswered.
type answered struct {
	Seq   int             `json:"seq"`
	Value json.RawMessage `json:"value"`
	By    string          `json:"by,omitempty"`
}

func questionOf(c CallEntry) Question {
	var q Question
	if json.Unmarshal(c.Args, &q) != nil {
		q.Question = string(c.Args)
	}
	q.Seq, q.At = c.Seq, c.At
	return q
}

// Questions are those of a run that wait for an answer.
func (s *Service) Questions(ctx context.Context, runID string) ([]Question, *Error) {
	h, err := s.history(ctx, runID)
	if err != nil {
		return nil, err
	}
	if h.finished {
		return nil, nil
	}
	return h.open(), nil
}

// Answer answers a question of a run that has not ended, once. Seq 0 means the only open one. The run
// goes on when it is resumed. Errors: NotFound, Conflict (answered already), InvalidArgument (the value
// does not fit the question's schema).
func (s *Service) Answer(ctx context.Context, runID string, seq int, value json.RawMessage, by string) (Question, *Error) {
	open, err := s.Questions(ctx, runID)
	if err != nil {
		return Question{}, err
	}
	q, err := chooseQuestion(open, runID, seq)
	if err != nil {
		return q, err
	}
	if len(q.Schema) > 0 {
		if err := s.Validator.ValidateResult(q.Schema, value); err != nil {
			return q, Errorf(InvalidArgument, "the answer does not fit: %s", AsError(err).Message).WithHint("it must fit the schema %s", q.Schema)
		}
	}
	data, failed := json.Marshal(answered{Seq: q.Seq, Value: value, By: by})
	if failed != nil {
		return q, Errorf(InvalidArgument, "the answer is not JSON").WithHint(`write text in quotes: "yes"`)
	}
	op := fmt.Sprintf("%s/answer/%d", runID, q.Seq)
	if err := s.Store.Answer(ctx, op, runID, Entry{Kind: EntryAnswered, At: s.Now(), Data: data}); err != nil {
		return q, AsError(err)
	}
	return q, nil
}

func chooseQuestion(open []Question, runID string, seq int) (Question, *Error) {
	switch {
	case len(open) == 0:
		return Question{}, Errorf(NotFound, "run %s waits for no answer", runID)
	case seq == 0 && len(open) == 1:
		return open[0], nil
	case seq == 0:
		return Question{}, Errorf(InvalidArgument, "run %s asks %d questions", runID, len(open)).WithHint("name one by its number, such as %d", open[0].Seq)
	}
	for _, q := range open {
		if q.Seq == seq {
			return q, nil
		}
	}
	return Question{}, Errorf(NotFound, "run %s has no open question %d", runID, seq).WithHint("open is %d", open[0].Seq)
}
